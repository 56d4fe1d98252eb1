package io.delayjob;

import java.util.Collection;

/** In this step of a call, the application sets the payload. Immutable. */
@CheckReturnValue
public interface PayloadSpec<P> {

    /** Sets the payload of one job. */
    ScheduleSpec with(P payload);

    /** Sets the payloads of many jobs, one for each job. */
    BulkSpec<P> withEach(Collection<? extends P> payloads);
}
