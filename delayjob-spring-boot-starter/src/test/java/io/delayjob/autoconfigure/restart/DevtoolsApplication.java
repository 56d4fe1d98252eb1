package io.delayjob.autoconfigure.restart;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.Deferred;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.job.Job;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.devtools.restart.Restarter;
import org.springframework.boot.devtools.restart.classloader.RestartClassLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * An application under devtools, which restarts itself as a change of its classes would. Ends with 0 if all went well.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class DevtoolsApplication {

    /** Survives restarts, as a field would not. */
    private static final String STARTS = "devtools.starts";

    private static final int TIMES = 3;

    private static final Parcel LEFT = new Parcel("left by the start before");

    private DevtoolsApplication() {}

    /** Devtools call this again, on another thread, with the classes from their own loader. */
    public static void main(String[] args) {
        if (!(DevtoolsApplication.class.getClassLoader() instanceof RestartClassLoader)) {
            SpringApplication.run(DevtoolsApplication.class, args);
            throw new AssertionError("Devtools do not restart this");
        }
        try {
            int start = Integer.getInteger(STARTS, 0) + 1;
            System.setProperty(STARTS, String.valueOf(start));
            live(start, SpringApplication.run(DevtoolsApplication.class, args));
            if (start < TIMES) {
                Restarter.getInstance().restart();
            } else {
                System.exit(0);
            }
        } catch (Throwable failure) {
            failure.printStackTrace();
            System.exit(1);
        }
    }

    private static void live(int start, ConfigurableApplicationContext context) throws InterruptedException {
        DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
        Tasks tasks = context.getBean(Tasks.class);
        if (start > 1) {
            Job left = jobs.find("work", "left by " + (start - 1)).orElseThrow();
            jobs.reschedule(left.id(), Duration.ZERO);
            check("the job of the start before", LEFT, tasks.next());
        }
        Parcel parcel = new Parcel("of start " + start);
        jobs.schedule(Tasks::work).with(parcel).now();
        check("the job by reference", parcel, tasks.next());
        tasks.later(parcel);
        check("the job by a call", parcel, tasks.next());
        jobs.schedule(Tasks::work).with(LEFT).key("left by " + start).after(Duration.ofHours(1));
        check("engines that the register knows", 1, registered(context));
        check(
                "engines of this start",
                true,
                context.getBean(DelayJobEngine.class).status().running());
        check("threads of engines", List.of(), threadsOfOtherLoaders());
    }

    private static int registered(ConfigurableApplicationContext context) {
        return context.getBean(JdbcTemplate.class)
                .queryForObject("SELECT COUNT(*) FROM delayjob_instance", Integer.class);
    }

    /** Threads that an engine of an earlier start has left behind. */
    private static List<String> threadsOfOtherLoaders() {
        ClassLoader present = DevtoolsApplication.class.getClassLoader();
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("delayjob"))
                .filter(thread -> thread.getContextClassLoader() != present)
                .map(Thread::getName)
                .toList();
    }

    private static void check(String what, Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError("%s: %s instead of %s".formatted(what, actual, expected));
        }
    }

    @Bean
    Tasks tasks() {
        return new Tasks();
    }

    record Parcel(String content) {}

    public static class Tasks {
        private final BlockingQueue<Parcel> parcels = new LinkedBlockingQueue<>();

        /** What the next job has brought; not final, or a proxy would look into its own fields. */
        Parcel next() throws InterruptedException {
            return parcels.poll(60, TimeUnit.SECONDS);
        }

        @DelayedJob("work")
        void work(Parcel parcel) {
            parcels.add(parcel);
        }

        @Deferred(name = "later")
        public void later(Parcel parcel) {
            parcels.add(parcel);
        }
    }
}
