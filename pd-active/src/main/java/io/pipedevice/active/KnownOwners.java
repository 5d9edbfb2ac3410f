// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.client.ControlEndpoint;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The owners of the names that this process has found, so that it is not led to another owner when it looks for a name
 * again: after the owner's end, and after the driver's. Those of the names that were looked for last are known. Thread
 * safe.
 */
final class KnownOwners {
    /** As many as an attachment may have handles. */
    private static final int MOST = 4096;

    /** The owners that this process knows. */
    static final KnownOwners ALL = new KnownOwners();

    /** Guarded by this; the name that was looked for least recently is first. */
    private final Map<Name, Owner> owners = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * A name at a driver.
     *
     * @param driver that knows the name
     * @param kind of the things that have such names, for a person
     * @param text of the name
     */
    record Name(ControlEndpoint driver, String kind, String text) {
        @Override
        public String toString() {
            return kind + " " + text;
        }
    }

    /**
     * Asks the driver.
     *
     * @param <T> what is found
     */
    @FunctionalInterface
    interface Lookup<T extends Found> {
        /** Finds what an owner has published. */
        T find(Owner owner) throws PdException;
    }

    /** Finds a name of the owner that is known, or else of the only one that has published it. */
    <T extends Found> T find(Name name, Lookup<T> lookup) throws PdException {
        Owner known = known(name);
        if (known == null) {
            T found = lookUp(name, Owner.anyone(), lookup);
            known = putIfAbsent(name, found.owner());
            if (known.equals(found.owner())) {
                return found;
            }
            // Another thread has found that of another owner meanwhile.
            found.close();
        }
        try {
            return lookup.find(known);
        } catch (PdException e) {
            throw e.errno() == Errno.ENOENT ? moved(name, known, lookup, e) : e;
        }
    }

    /** The failure of a lookup whose known owner has not got the name any more. */
    private static PdException moved(Name name, Owner known, Lookup<?> lookup, PdException none) {
        Owner now;
        try (Found other = lookup.find(Owner.anyone())) {
            now = other.owner();
        } catch (PdException e) {
            return e.errno() == Errno.ENOTUNIQ ? ambiguous(name, e) : none;
        }
        if (now.equals(known)) {
            return none; // It has published the name between the two lookups.
        }
        return PdException.saying(
                Errno.EREMCHG,
                name + ": this process has found that of " + known + ", and now there is that of " + now
                        + "; an Owner says which is meant");
    }

    /** Finds a name of a given owner, and records the owner. */
    <T extends Found> T find(Name name, Owner owner, Lookup<T> lookup) throws PdException {
        T found = lookUp(name, owner, lookup);
        put(name, found.owner());
        return found;
    }

    private static <T extends Found> T lookUp(Name name, Owner owner, Lookup<T> lookup) throws PdException {
        try {
            return lookup.find(owner);
        } catch (PdException e) {
            throw e.errno() == Errno.ENOTUNIQ ? ambiguous(name, e) : e;
        }
    }

    private static PdException ambiguous(Name name, PdException e) {
        return new PdException(e.errno(), name + ": " + e.getMessage() + "; an Owner says which is meant", e);
    }

    private synchronized Owner known(Name name) {
        return owners.get(name);
    }

    /** Records an owner unless one is recorded; returns the one that is recorded then. */
    private synchronized Owner putIfAbsent(Name name, Owner owner) {
        Owner known = owners.get(name);
        if (known == null) {
            put(name, owner);
        }
        return known == null ? owner : known;
    }

    private synchronized void put(Name name, Owner owner) {
        owners.put(name, owner);
        if (owners.size() > MOST) {
            owners.remove(owners.keySet().iterator().next());
        }
    }
}
