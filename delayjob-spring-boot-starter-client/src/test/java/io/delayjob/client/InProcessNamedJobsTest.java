package io.delayjob.client;

import io.delayjob.NamedJobs;

/** The reference: the operations of the engine. */
class InProcessNamedJobsTest extends NamedJobsContract {

    @Override
    NamedJobs jobs() {
        return server().operations();
    }
}
