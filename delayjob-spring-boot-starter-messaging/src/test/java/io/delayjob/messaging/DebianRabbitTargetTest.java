package io.delayjob.messaging;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A RabbitMQ in a process of its own, which is killed with {@code kill -9}. */
class DebianRabbitTargetTest extends RabbitTargetContract {

    private static RabbitMqServer broker;

    @BeforeAll
    static void startBroker(@TempDir Path directory) throws Exception {
        broker = RabbitMqServer.start(directory);
    }

    @AfterAll
    static void stopBroker() {
        if (broker != null) {
            broker.close();
        }
    }

    @Override
    String url() {
        return broker.url();
    }

    /** RabbitMQ keeps a new queue in memory for a while. A restart writes it. */
    @Override
    void writeQueues() throws Exception {
        broker.stop();
        broker.startAgain();
    }

    @Override
    void kill(CuttableSockets sockets) throws InterruptedException {
        broker.kill();
    }

    @Override
    void revive(CuttableSockets sockets) throws Exception {
        broker.startAgain();
    }
}
