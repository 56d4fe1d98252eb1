package io.delayjob.job;

import java.util.List;

/** A {@link DueSink} that says what it had no room for, so that whoever reads the table can come back for it. */
@FunctionalInterface
public interface DueIntake extends DueSink {

    /**
     * Takes committed rows. Never throws, never blocks.
     *
     * @return the rows it had no room for now; not those that it dropped for good, such as duplicates
     */
    List<DueRow> offer(List<DueRow> rows);

    @Override
    default void accept(List<DueRow> rows) {
        offer(rows);
    }
}
