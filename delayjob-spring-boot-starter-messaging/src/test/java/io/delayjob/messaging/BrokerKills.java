package io.delayjob.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.jdbc.TestProxy;
import io.delayjob.jdbc.TestProxy.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Lets an application send messages through a proxy to a broker. Several times, the broker is killed when it has stored
 * messages whose confirmations the application has not heard.
 *
 * @param broker the broker
 * @param proxy leads to the broker
 */
record BrokerKills(BrokerProcess broker, TestProxy proxy) {

    private static final int KILLS = 3;
    private static final long SEED = 20_261_126;

    /** Number of messages that are sent while their confirmations are held back. */
    private static final int IN_FLIGHT = 20;

    /** Waits until the broker has stored one of these messages. */
    interface Storage {
        void await(Set<String> ids) throws Exception;
    }

    /**
     * What the application has sent.
     *
     * @param ids ids of the messages
     * @param inFlight ids of the messages of which the broker had stored one when it was killed, for each kill
     * @param attempts number of attempts to send them
     */
    record Sent(List<String> ids, List<Set<String>> inFlight, int attempts) {}

    /** Properties of a target that is retried for ever, but leaves the broker the time to start. */
    static String[] patient(String target, String destination) {
        String retry = "delayjob.targets." + target + ".retry.";
        return Application.stubborn(target, destination, retry + "delay=500ms", retry + "max-delay=500ms");
    }

    /** Sends that many messages to a target. Returns when all of their jobs are finished. */
    Sent send(Application application, String target, int messages, Storage storage) throws Exception {
        Random random = new Random(SEED);
        List<String> ids = new ArrayList<>();
        List<Set<String>> inFlight = new ArrayList<>();
        int attempts = 0;
        for (int kill = 1; kill <= KILLS; kill++) {
            int part = messages * kill / KILLS - ids.size();
            int calm = random.nextInt(part / 2);
            ids.addAll(application.scheduleMany(target, calm));
            attempts += application.awaitFinished(calm);

            // From here on, the application hears of no message.
            proxy.stall(Direction.TO_CLIENT);
            List<String> unheard = application.scheduleMany(target, IN_FLIGHT);
            ids.addAll(unheard);
            inFlight.add(Set.copyOf(unheard));
            storage.await(Set.copyOf(unheard));
            broker.kill();
            proxy.cut();
            proxy.resume();
            assertThat(application.awaitEnd(end -> true).isFinished())
                    .as("an attempt whose confirmation was not heard is finished")
                    .isFalse();
            ids.addAll(application.scheduleMany(target, part - calm - IN_FLIGHT));
            broker.startAgain();
            attempts += 1 + application.awaitFinished(part - calm);
        }
        return new Sent(ids, inFlight, attempts);
    }
}
