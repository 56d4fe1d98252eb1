package io.delayjob;

import io.delayjob.handler.JobContext;
import io.delayjob.handler.Next;
import java.io.IOException;

/** Beans with handler methods of every kind, and a bean without a handler. */
final class Shop {

    private Shop() {}

    static class UnpaidOrders {
        void cancel(long orderId) {}
    }

    static class Reminders {
        Next remind(long customerId, JobContext job) {
            return Next.asPlanned();
        }
    }

    static class CartCleanup {
        void purge() {}

        void watch(JobContext job) {}
    }

    static class Webhooks {
        public void send(String url, String body) throws IOException {}

        void log(String url, String body, JobContext job) {}

        void forget(String url) {}
    }
}
