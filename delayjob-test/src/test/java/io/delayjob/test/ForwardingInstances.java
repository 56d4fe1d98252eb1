package io.delayjob.test;

import io.delayjob.job.JobId;
import io.delayjob.store.ClusterView;
import io.delayjob.store.InstanceStore;
import java.util.Collection;
import java.util.OptionalLong;
import java.util.Set;

/** A register in front of another, for those that change a method or two. */
class ForwardingInstances implements InstanceStore {

    final InstanceStore target;

    ForwardingInstances(InstanceStore target) {
        this.target = target;
    }

    @Override
    public long register(String incarnation, Set<String> queues, Set<Set<String>> handlers) {
        return target.register(incarnation, queues, handlers);
    }

    @Override
    public OptionalLong beat(long number, boolean stopping) {
        return target.beat(number, stopping);
    }

    @Override
    public ClusterView look(long number) {
        return target.look(number);
    }

    @Override
    public Set<Set<String>> handlers() {
        return target.handlers();
    }

    @Override
    public void forgetCancellations(long number, Collection<JobId> jobs) {
        target.forgetCancellations(number, jobs);
    }

    @Override
    public void acknowledgePauses(long number, long fingerprint) {
        target.acknowledgePauses(number, fingerprint);
    }

    @Override
    public boolean remove(long number, long beats) {
        return target.remove(number, beats);
    }

    @Override
    public void deregister(long number) {
        target.deregister(number);
    }
}
