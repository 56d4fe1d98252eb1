package io.delayjob;

import io.delayjob.handler.JobContext;
import io.delayjob.handler.Next;

class UnpaidOrders {
    void cancel(long orderId) {}
}

class Reminders {
    Next remind(long customerId, JobContext job) {
        return Next.asPlanned();
    }
}

class CartCleanup {
    void purge() {}

    void watch(JobContext job) {}
}

class Webhooks {
    public void send(String url, String body) throws java.io.IOException {}

    void log(String url, String body, JobContext job) {}

    void forget(String url) {}
}
