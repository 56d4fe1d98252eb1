package io.delayjob.test;

import io.delayjob.job.JobId;
import io.delayjob.store.ClusterView;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.Vitals;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A register that passes all calls to another register, for tests that change a few methods. */
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
    public OptionalLong beat(long number, boolean stopping, @Nullable Vitals vitals) {
        return target.beat(number, stopping, vitals);
    }

    @Override
    public ClusterView look(long number) {
        return target.look(number);
    }

    @Override
    public List<InstanceRow> list() {
        return target.list();
    }

    @Override
    public Map<Long, Set<Set<String>>> handlersByInstance() {
        return target.handlersByInstance();
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
