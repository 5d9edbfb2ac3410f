// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
//
// Takes TCP between sockets of one host past the network stack, as Cilium's "sockops" did: what one end sends goes
// directly to the receive queue of the other, in whichever network namespace that is. The programs see no difference.
//
// The licence below is what this file declares to the kernel, which offers some functions only to programs under the
// GPL or a licence compatible with it: you may use this file under the MIT licence or the GPL (version 2) as well.

#include <linux/bpf.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual MIT/GPL";

// The two ends of a connection, as one of them sees it. Addresses in network order, ports in host order.
struct ends {
    __u32 local_address;
    __u32 remote_address;
    __u32 local_port;
    __u32 remote_port;
};

struct {
    __uint(type, BPF_MAP_TYPE_SOCKHASH);
    __uint(max_entries, 65536);
    __type(key, struct ends);
    __type(value, __u64);
} sockets SEC(".maps");

// Calls that sent data past the network stack, and others: the benchmark reads them.
enum { REDIRECTED, KEPT, COUNTERS };

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, COUNTERS);
    __type(key, __u32);
    __type(value, __u64);
} messages SEC(".maps");

static __always_inline void count(__u32 counter) {
    __u64 *value = bpf_map_lookup_elem(&messages, &counter);
    if (value)
        (*value)++;
}

// Remembers each connection of the control group, at both ends. A socket of IPv6 has its IPv4 address there too.
SEC("sockops")
int remember(struct bpf_sock_ops *socket) {
    if (socket->op == BPF_SOCK_OPS_ACTIVE_ESTABLISHED_CB || socket->op == BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB) {
        struct ends ends = {
            .local_address = socket->local_ip4,
            .remote_address = socket->remote_ip4,
            .local_port = socket->local_port,
            .remote_port = bpf_ntohl(socket->remote_port),
        };
        bpf_sock_hash_update(socket, &sockets, &ends, BPF_ANY);
    }
    return 0;
}

// Gives what is sent to the other end. An end that is not there leaves the data to the network stack.
SEC("sk_msg")
int redirect(struct sk_msg_md *message) {
    struct ends other = {
        .local_address = message->remote_ip4,
        .remote_address = message->local_ip4,
        .local_port = bpf_ntohl(message->remote_port),
        .remote_port = message->local_port,
    };
    long verdict = bpf_msg_redirect_hash(message, &sockets, &other, BPF_F_INGRESS);
    count(verdict == SK_PASS ? REDIRECTED : KEPT);
    return SK_PASS;
}
