/* Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * What an active function may call, for clang -target bpf -O2. An active function is
 *
 *     unsigned long f(unsigned char *message, unsigned long length)
 *
 * Its result is a number; the message as it leaves it goes back to the caller. Regions have numbers, in the order in which the
 * function was registered with them, from 0. If an operation fails, the function does not go on: the caller gets the error.
 */
#ifndef PD_ACTIVE_H
#define PD_ACTIVE_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

/* Where a function begins in an object file. */
#define PD_ACTIVE __attribute__((section("active"), used))

/* Copies bytes of a region into the message or the stack. */
static long (*pd_read)(u64 region, u64 offset, void *to, u64 length) = (void *) 1;

/* Copies bytes of the message, the stack or constants into a region. */
static long (*pd_write)(u64 region, u64 offset, const void *from, u64 length) = (void *) 2;

/* Reads eight bytes, whole, at a multiple of eight. */
static u64 (*pd_get)(u64 region, u64 offset) = (void *) 3;

/* Writes eight bytes, whole, at a multiple of eight. */
static long (*pd_put)(u64 region, u64 offset, u64 value) = (void *) 4;

/* Replaces eight bytes that equal the expected ones, and returns what was there. */
static u64 (*pd_compare_and_swap)(u64 region, u64 offset, u64 expected, u64 value) = (void *) 5;

/* Adds to eight bytes, and returns what was there. */
static u64 (*pd_fetch_and_add)(u64 region, u64 offset, u64 delta) = (void *) 6;

/* The bytes of a region. */
static u64 (*pd_size)(u64 region) = (void *) 7;

/* Lets others run: the function may go on later, and elsewhere. */
static long (*pd_yield)(void) = (void *) 8;

#endif
