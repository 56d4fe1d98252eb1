package io.delayjob.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** RabbitMQ's client with a Qpid broker in this process. */
class QpidRabbitTargetTest extends RabbitTargetContract {

    private static QpidBroker broker;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = new QpidBroker();
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @Override
    String url() {
        return broker.url();
    }

    @Test
    void brokerThatIsAwayWhenJobsAreDue_getsAllMessagesLater() throws Exception {
        try (Application application =
                application(Application.stubborn("late", "delayjob.targets.late.rabbit.routing-key=late"))) {
            broker.stop();
            List<String> ids = application.scheduleMany("late", MANY / 10);
            application.awaitEnd(end -> !end.isFinished());

            broker.start();
            try (Connection connection = connect();
                    Channel channel = connection.createChannel()) {
                channel.queueDeclare("late", false, false, true, null);
                BlockingQueue<String> received = new LinkedBlockingQueue<>();
                channel.basicConsume(
                        "late",
                        true,
                        (tag, delivery) -> received.add(delivery.getProperties().getMessageId()),
                        tag -> {});
                Set<String> missing = new HashSet<>(ids);
                while (!missing.isEmpty()) {
                    String id = received.poll(20, TimeUnit.SECONDS);
                    assertThat(ids).as("messages that were sent").contains(id);
                    missing.remove(id);
                }
            }
        }
    }
}
