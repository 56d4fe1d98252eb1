package io.delayjob.proofs.chaos;

import io.delayjob.job.Partition;
import io.delayjob.proofs.chaos.LedgerLine.Event;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A process that schedules and runs jobs. {@link WorkerProcess} sends one command on each line. The process answers
 * with the first word of the command and a count:
 *
 * <pre>
 *   in:  start            starts the engine
 *        load &lt;rate&gt;      schedules so many jobs a second from now on
 *        unload           schedules no more, and awaits what is under way
 *        led              counts the partitions that it leads
 *        hog &lt;millis&gt;     keeps every connection of the pool for so long; counts them
 * </pre>
 *
 * <p>All other events go to the {@link Ledger}. After SIGTERM, the process finishes its work. At the end of its input,
 * the process stops, so that it never outlives its parent.
 */
final class WorkerMain {

    private static final long TICK_MILLIS = 20;
    private static final long HICCUP_MILLIS = 250;

    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final Ledger ledger;
    private final WorkerStore store;
    private final WorkerEngine engine;
    private final Load load;
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
    private long watchedNanos = System.nanoTime();
    private Set<Partition> led = Set.of();

    private WorkerMain(WorkerOrders orders) {
        ledger = Ledger.append(orders.ledger());
        store = WorkerStore.open(orders);
        engine = new WorkerEngine(store, orders, ledger);
        load = new Load(engine, store.transactions(), ledger, orders);
    }

    public static void main(String[] arguments) throws IOException {
        WorkerMain worker = new WorkerMain(WorkerOrders.parse(arguments));
        Runtime.getRuntime().addShutdownHook(new Thread(worker::stop));
        worker.watch.scheduleAtFixedRate(worker::watch, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        worker.obey(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
    }

    private void obey(BufferedReader in) throws IOException {
        String command = in.readLine();
        while (command != null) {
            String[] words = command.split(" ");
            int count = 0;
            switch (words[0]) {
                case "start" -> engine.start();
                case "load" -> load.start(Double.parseDouble(words[1]));
                case "unload" -> load.end();
                case "led" -> count = engine.led().size();
                case "hog" -> count = store.hog(Duration.ofMillis(Long.parseLong(words[1])));
                default -> throw new IllegalArgumentException("Unknown command '%s'.".formatted(command));
            }
            out.println(words[0] + " " + count);
            command = in.readLine();
        }
        System.exit(0);
    }

    private void watch() {
        long now = System.nanoTime();
        long gapMillis = TimeUnit.NANOSECONDS.toMillis(now - watchedNanos);
        watchedNanos = now;
        if (gapMillis > HICCUP_MILLIS) {
            ledger.write(LedgerLine.of(Event.HICCUP).withNote(gapMillis));
        }
        Set<Partition> leads = engine.led();
        tell(Event.LEASE_ENDED, led, leads);
        tell(Event.LEASE_ACQUIRED, leads, led);
        led = leads;
    }

    private void tell(Event event, Set<Partition> of, Set<Partition> without) {
        of.stream()
                .filter(partition -> !without.contains(partition))
                .forEach(partition -> ledger.write(LedgerLine.of(event).withNote(partition)));
    }

    private void stop() {
        ledger.write(LedgerLine.of(Event.STOPPING));
        load.abandon();
        engine.close();
        store.close();
        ledger.write(LedgerLine.of(Event.STOPPED));
    }
}
