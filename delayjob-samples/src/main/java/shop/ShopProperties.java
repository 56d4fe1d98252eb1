package shop;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the shop.
 *
 * @param paymentWindow the time for which an order may stay unpaid before it is cancelled
 * @param paidHook the URL that gets an HTTP POST for each paid order; {@code null} means none
 */
@ConfigurationProperties("shop")
record ShopProperties(
        @DefaultValue("30s") Duration paymentWindow,
        @Nullable URI paidHook) {}
