package shop;

import io.delayjob.DelayJobOperations;
import io.delayjob.client.Answers;
import io.delayjob.job.JobId;
import io.delayjob.messaging.DelayedMessages;
import io.delayjob.test.DelayJobTester;
import io.delayjob.wheel.TimingWheel;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;

/** What stands around the statements that a guide shows. They are compiled, never run. */
abstract class GuideContext {
    DelayJobOperations jobs;
    DelayJobTester tester;
    TimingWheel timingWheel;
    UnpaidOrders unpaidOrders;
    JobId id;
    long orderId;
    long customerId;
    List<Long> orderIds;
    Instant instant;
    ZoneId berlin;
    UUID messageId;
    Invoice invoice;
    Exports exports;
    Answers answers;
    DelayedMessages delayed;
    Semaphore limit;

    record Invoice(long id) {}

    record Export(long id) {}

    interface Exports {
        void start(Export export, String answerTo);

        void start(Export export);
    }
}
