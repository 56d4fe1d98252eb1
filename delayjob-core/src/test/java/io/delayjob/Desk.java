package io.delayjob;

import io.delayjob.Shop.CartCleanup;
import io.delayjob.Shop.Reminders;
import io.delayjob.Shop.UnpaidOrders;
import io.delayjob.Shop.Webhooks;
import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerMethod;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.job.CancelResult;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import io.delayjob.job.Scheduled;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.JobQuery;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * The operations with a memory store and the handlers of a small shop. All events and rows that they pass on are
 * recorded.
 */
final class Desk {

    final StandingClock clock = new StandingClock();
    final MemoryJobStore store = new MemoryJobStore(() -> clock.storeMillis() * 1_000);
    final HandlerRegistry handlers = new HandlerRegistry();
    final List<DueRow> handedOver = new ArrayList<>();
    final List<String> told = new ArrayList<>();
    String trace;
    final JobOperations operations;
    final DelayJobOperations jobs;

    Desk() {
        this(60);
    }

    Desk(int payloadMaxSize) {
        EngineSettings settings = EngineSettings.defaults("desk").toBuilder()
                .payloadMaxSize(payloadMaxSize)
                .build();
        operations = new JobOperations(
                Parts.of(settings, store, handlers, clock, new JobListeners(List.of(new Recorder())), new Random(42)),
                () -> trace,
                new KnownNames(settings, store, handlers),
                new EngineLinks(
                        handedOver::addAll,
                        paused -> told.add("look"),
                        (draft, id, dueMillis) -> new Partition(draft.queue(), (int) (dueMillis % 8)),
                        () -> {},
                        job -> Optional.empty(),
                        job -> Optional.empty()));
        jobs = operations;
        register("cancel-unpaid-order", UnpaidOrders.class, "cancel", long.class);
        register("remind-customer", Reminders.class, "remind", long.class, JobContext.class);
        register("purge-carts", CartCleanup.class, "purge");
        register("watch-carts", CartCleanup.class, "watch", JobContext.class);
        register("send-webhook", Webhooks.class, "send", String.class, String.class);
        register("log-webhook", Webhooks.class, "log", String.class, String.class, JobContext.class);
    }

    Job job(Scheduled scheduled) {
        return jobs.find(scheduled.id()).orElseThrow();
    }

    boolean isEmpty() {
        return jobs.find(JobQuery.all()).jobs().isEmpty();
    }

    /** Claims the job, as an engine would. */
    void claim(JobId id) {
        DueRow row = store.find(id).orElseThrow().toDueRow();
        store.claim(List.of(row), 1, row.token() + 1, clock.storeTime());
    }

    private void register(String name, Class<?> bean, String methodName, Class<?>... types) {
        Method method;
        try {
            method = bean.getDeclaredMethod(methodName, types);
        } catch (NoSuchMethodException missing) {
            throw new AssertionError(missing);
        }
        String descriptor = MethodType.methodType(method.getReturnType(), types).toMethodDescriptorString();
        handlers.register(Handler.named(name)
                .formerNames(name.equals("cancel-unpaid-order") ? Set.of("cancel-order", "drop-order") : Set.of())
                .queue(bean == Webhooks.class ? "hooks" : Handler.DEFAULT_QUEUE)
                .parameters(Arrays.stream(method.getParameters())
                        .filter(parameter -> parameter.getType() != JobContext.class)
                        .map(parameter -> new PayloadParameter(parameter.getName(), parameter.getParameterizedType()))
                        .toList())
                .method(new HandlerMethod(bean, methodName, descriptor))
                .calls((arguments, job) -> null));
    }

    private final class Recorder implements JobListener {
        @Override
        public void scheduled(String name, int count) {
            told.add(name + " x " + count);
        }

        @Override
        public void cancelled(CancelResult result) {
            told.add(result.name());
        }
    }
}
