package io.delayjob;

import java.util.Collection;

/** The step of a call that sets the payload. Immutable. */
@CheckReturnValue
public interface PayloadSpec<P> {

    /** Sets the payload of one job. */
    ScheduleSpec with(P payload);

    /** Sets the payloads of many jobs, one for each job. */
    BulkSpec<P> withEach(Collection<? extends P> payloads);
}
