package io.delayjob.internal.dispatch;

import io.delayjob.internal.lane.Lane;
import io.delayjob.status.BusyMutex;
import io.delayjob.status.ClusterSlots;
import io.delayjob.status.LimitedKey;
import io.delayjob.status.SlotUse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Shows the slots in use, and the rows that wait for something other than a slot. Thread-safe. */
public record Occupancy(Lanes lanes) {

    public int slotsTaken() {
        synchronized (lanes.tickets) {
            return lanes.queues().stream()
                    .mapToInt(queue -> queue.use().active())
                    .sum();
        }
    }

    public Map<String, SlotUse> slotUse() {
        Map<String, SlotUse> use = new TreeMap<>();
        synchronized (lanes.tickets) {
            lanes.queues().forEach(queue -> use.put(queue.queue(), queue.use()));
        }
        return use;
    }

    /** Counts the rows that a rate or a rest of the handler holds back, by handler name. */
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

    public Map<String, ClusterSlots> clusterSlots() {
        synchronized (lanes.tickets) {
            return lanes.limits.clusterSlots();
        }
    }

    public int waitingForMutex() {
        synchronized (lanes.tickets) {
            return lanes.gates.waitingForMutex();
        }
    }

    public List<BusyMutex> busyMutexes() {
        synchronized (lanes.tickets) {
            return lanes.gates.busyMutexes();
        }
    }

    public List<LimitedKey> limitedKeys() {
        synchronized (lanes.tickets) {
            return lanes.gates.limitedKeys();
        }
    }
}
