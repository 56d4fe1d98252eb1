package io.delayjob.messaging;

import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The same on a RabbitMQ that runs already, such as {@code amqp://guest:guest@localhost:5672}. */
@EnabledIfEnvironmentVariable(named = "DELAYJOB_TEST_RABBITMQ_URL", matches = "amqp.*")
class RabbitMqTargetTest extends RabbitTargetContract {

    @Override
    String url() {
        return System.getenv("DELAYJOB_TEST_RABBITMQ_URL");
    }
}
