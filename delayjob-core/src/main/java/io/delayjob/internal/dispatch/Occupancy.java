package io.delayjob.internal.dispatch;

import io.delayjob.internal.lane.Lane;
import io.delayjob.status.BusyMutex;
import io.delayjob.status.ClusterSlots;
import io.delayjob.status.LimitedKey;
import io.delayjob.status.SlotUse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Shows how full the lanes are: the slots in use, and the rows that wait for something other than a slot. Thread-safe.
 *
 * @param lanes the lanes that this view shows
 */
public record Occupancy(Lanes lanes) {

    /** Returns the number of slots in use, for all queues together. */
    public int slotsTaken() {
        synchronized (lanes.tickets) {
            return lanes.queues().stream()
                    .mapToInt(queue -> queue.use().active())
                    .sum();
        }
    }

    /**
     * Returns for each queue the number of slots in use, the number of claimed jobs that wait, and the number of all
     * slots.
     */
    public Map<String, SlotUse> slotUse() {
        Map<String, SlotUse> use = new TreeMap<>();
        synchronized (lanes.tickets) {
            lanes.queues().forEach(queue -> use.put(queue.queue(), queue.use()));
        }
        return use;
    }

    /**
     * Returns the number of rows that wait for a rate, for each handler that has such rows.
     */
    public Map<String, Integer> waitingForRate() {
        Map<String, Integer> waiting = new TreeMap<>();
        synchronized (lanes.tickets) {
            for (Lane lane : lanes.all()) {
                int ofLane = (lane.limits().letWait() ? lane.ready() : 0) + lanes.gates.waitingForRate(lane);
                if (ofLane > 0) {
                    waiting.merge(lane.handler().name(), ofLane, Integer::sum);
                }
            }
        }
        return waiting;
    }

    /**
     * Returns the slots of this instance by handler name. The map contains each handler with a concurrency limit for
     * the whole cluster.
     */
    public Map<String, ClusterSlots> clusterSlots() {
        synchronized (lanes.tickets) {
            return lanes.limits.clusterSlots();
        }
    }

    /** Returns the number of rows that wait for their mutex. */
    public int waitingForMutex() {
        synchronized (lanes.tickets) {
            return lanes.gates.waitingForMutex();
        }
    }

    /**
     * Returns mutexes that waiting rows need. The list begins with the mutex that has the most waiting rows. The length
     * of the list is limited.
     */
    public List<BusyMutex> busyMutexes() {
        synchronized (lanes.tickets) {
            return lanes.gates.busyMutexes();
        }
    }

    /**
     * Returns rate keys that rows wait for. The key with the most waiting rows comes first, and the number of keys is
     * limited.
     */
    public List<LimitedKey> limitedKeys() {
        synchronized (lanes.tickets) {
            return lanes.gates.limitedKeys();
        }
    }
}
