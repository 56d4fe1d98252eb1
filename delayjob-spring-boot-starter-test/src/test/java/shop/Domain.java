package shop;

import java.util.Optional;

interface Orders {
    void cancelIfUnpaid(long orderId);

    void markShipped(long orderId, String trackingNo);
}

interface Mailer {
    void remind(long customerId, int nth);
}

interface Partner {
    Optional<String> trackingNoOf(long orderId);
}

interface Http {
    void post(String url, String body) throws java.io.IOException;
}

interface Carts {
    int purgeOlderThanDays(int days);
}

record Hook(String url, String body) {}
