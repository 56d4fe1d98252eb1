package shop;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the shopkeeper may choose.
 *
 * @param paymentWindow how long an order may stay unpaid before it is cancelled
 * @param paidHook who is told of each paid order by an HTTP POST; {@code null}: nobody
 */
@ConfigurationProperties("shop")
record ShopProperties(
        @DefaultValue("30s") Duration paymentWindow,
        @Nullable URI paidHook) {}
