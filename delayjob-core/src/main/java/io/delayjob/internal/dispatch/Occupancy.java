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
 * How full the lanes are: slots in use, and rows that wait for something else than a slot. Thread-safe.
 *
 * @param lanes the lanes to look at
 */
public record Occupancy(Lanes lanes) {

    /** Returns the number of slots taken, over all queues. */
    public int slotsTaken() {
        synchronized (lanes.tickets) {
            return lanes.queues().stream()
                    .mapToInt(queue -> queue.use().active())
                    .sum();
        }
    }

    /** Returns for each queue the numbers of slots taken, of jobs claimed for a slot, and of all slots. */
    public Map<String, SlotUse> slotUse() {
        Map<String, SlotUse> use = new TreeMap<>();
        synchronized (lanes.tickets) {
            lanes.queues().forEach(queue -> use.put(queue.queue(), queue.use()));
        }
        return use;
    }

    /** Returns the number of rows that wait for a rate, by handler. Handlers without such rows are left out. */
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

    /** Returns this instance's slots of each handler whose concurrency counts in the cluster. */
    public Map<String, ClusterSlots> clusterSlots() {
        synchronized (lanes.tickets) {
            return lanes.limits.clusterSlots();
        }
    }

    /** Returns the mutexes for which rows wait, those with the most rows first. Their number is limited. */
    public List<BusyMutex> busyMutexes() {
        synchronized (lanes.tickets) {
            return lanes.gates.busyMutexes();
        }
    }

    /** Returns the keys whose rows wait for their rate, those with the most rows first. Their number is limited. */
    public List<LimitedKey> limitedKeys() {
        synchronized (lanes.tickets) {
            return lanes.gates.limitedKeys();
        }
    }
}
