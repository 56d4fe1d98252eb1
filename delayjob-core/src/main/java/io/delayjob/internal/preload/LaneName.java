package io.delayjob.internal.preload;

import io.delayjob.job.DueRow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Names a lane: the list of jobs in memory that wait for one handler in one queue. The lane need not exist yet.
 *
 * @param name one of the handler's names
 */
record LaneName(String name, String queue) {

    static Map<LaneName, List<DueRow>> group(List<DueRow> rows) {
        Map<LaneName, List<DueRow>> byLane = new LinkedHashMap<>();
        Map<String, Map<String, List<DueRow>>> byQueue = rows.stream()
                .collect(Collectors.groupingBy(
                        row -> row.partition().queue(),
                        Collectors.groupingBy(DueRow::name, LinkedHashMap::new, Collectors.toList())));
        byQueue.forEach(
                (queue, byName) -> byName.forEach((name, ofLane) -> byLane.put(new LaneName(name, queue), ofLane)));
        return byLane;
    }
}
