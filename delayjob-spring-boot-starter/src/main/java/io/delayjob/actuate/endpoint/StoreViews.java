package io.delayjob.actuate.endpoint;

import io.delayjob.DelayJobOperations;
import io.delayjob.spring.DelayJobStore;
import io.delayjob.spring.DelayJobStores;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;

/** The views of all job stores. */
final class StoreViews {

    static final String STORE = "store";

    private final StoreView ofDefault;
    private final Map<String, StoreView> named = new LinkedHashMap<>();

    private StoreViews(StoreView ofDefault) {
        this.ofDefault = ofDefault;
    }

    static StoreViews ofOne(
            DelayJobsEndpoint endpoint,
            Pulse pulse,
            @Nullable StoreTimes times,
            DelayJobOperations operations,
            ApplicationEventPublisher events) {
        if (times != null) {
            pulse.withTimes(times, null);
        }
        return new StoreViews(view(endpoint, pulse, operations, new AuditTrail(events, null)));
    }

    static StoreViews ofSeveral(
            DelayJobStores stores,
            DelayJobsEndpoint endpoint,
            Pulse pulse,
            @Nullable StoreTimes times,
            ApplicationEventPublisher events) {
        if (times != null) {
            pulse.withTimes(times, DelayJobStores.DEFAULT);
        }
        StoreViews views = new StoreViews(view(
                endpoint,
                pulse.withStores(stores.names()),
                stores.operations().in(DelayJobStores.DEFAULT),
                new AuditTrail(events, DelayJobStores.DEFAULT)));
        views.named.put(DelayJobStores.DEFAULT, views.ofDefault);
        for (DelayJobStore store : stores.all()) {
            views.named.computeIfAbsent(store.name(), name -> view(stores, store, times, events));
        }
        return views;
    }

    private static StoreView view(
            DelayJobStores stores, DelayJobStore store, @Nullable StoreTimes times, ApplicationEventPublisher events) {
        DelayJobsEndpoint endpoint =
                new DelayJobsEndpoint(store.engine(), store.store(), store.handlers(), store.settings(), store.clock());
        RecentActivity activity = new RecentActivity(store.clock());
        store.listeners().add(activity);
        Pulse pulse =
                new Pulse(endpoint, store.engine(), store.store(), store.clock(), activity).withStores(stores.names());
        if (times != null) {
            pulse.withTimes(times, store.name());
        }
        return view(endpoint, pulse, stores.operations().in(store.name()), new AuditTrail(events, store.name()));
    }

    private static StoreView view(
            DelayJobsEndpoint endpoint, Pulse pulse, DelayJobOperations operations, AuditTrail trail) {
        return new StoreView(
                endpoint, pulse, new ChangesByHand(operations, trail), new BulkChangesByHand(operations, trail));
    }

    boolean areSeveral() {
        return !named.isEmpty();
    }

    List<String> names() {
        return List.copyOf(named.keySet());
    }

    @Nullable
    StoreView find(@Nullable String store) {
        return store == null ? ofDefault : named.get(store);
    }
}
