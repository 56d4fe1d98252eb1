package shop;

import io.delayjob.DelayJobOperations;
import io.delayjob.job.JobId;
import io.delayjob.test.DelayJobTester;
import io.delayjob.wheel.TimingWheel;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

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
}
