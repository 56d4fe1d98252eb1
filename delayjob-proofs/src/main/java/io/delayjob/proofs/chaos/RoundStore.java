package io.delayjob.proofs.chaos;

import io.delayjob.proofs.chaos.Evidence.Accepted;
import io.delayjob.proofs.chaos.Evidence.Effect;
import io.delayjob.proofs.chaos.Evidence.Row;
import java.util.List;
import java.util.Set;

/** The store of a round. When this object is closed, the store is deleted. */
interface RoundStore extends AutoCloseable {

    /** In a cluster, host and port are ignored, because a client must reach every server. */
    String url(String host, int port, Profile profile);

    /** Returns the number of unfinished jobs, including jobs that will follow unfinished groups. */
    long unfinished();

    long ended();

    /** Returns a number that grows whenever an attempt or a job ends. */
    long progress();

    List<Row> rows();

    List<Accepted> accepted(List<Row> rows);

    Set<Long> committed();

    List<Effect> effects();

    @Override
    void close();
}
