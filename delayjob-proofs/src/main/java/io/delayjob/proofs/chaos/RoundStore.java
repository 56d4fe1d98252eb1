package io.delayjob.proofs.chaos;

import io.delayjob.proofs.chaos.Evidence.Accepted;
import io.delayjob.proofs.chaos.Evidence.Effect;
import io.delayjob.proofs.chaos.Evidence.Row;
import java.util.List;
import java.util.Set;

/** Represents the store of a round, for the round itself. When this object is closed, the store is deleted. */
interface RoundStore extends AutoCloseable {

    /**
     * Returns the address of the store for a worker. If the store is in a cluster, host and port are ignored, because a
     * client must reach every server of the cluster.
     */
    String url(String host, int port, Profile profile);

    /** Returns the number of unfinished jobs, including jobs that will follow groups. */
    long unfinished();

    long ended();

    /** Returns a number that grows with each end of an attempt or of a job. */
    long progress();

    /** Returns all jobs, unfinished and ended. */
    List<Row> rows();

    /** Returns the attempt logs of these jobs. */
    List<Accepted> accepted(List<Row> rows);

    /** Returns the numbers of the committed transactions of applications. */
    Set<Long> committed();

    List<Effect> effects();

    @Override
    void close();
}
