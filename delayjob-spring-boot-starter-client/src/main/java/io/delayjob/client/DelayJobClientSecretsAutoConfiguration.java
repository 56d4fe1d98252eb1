package io.delayjob.client;

import java.util.Locale;
import java.util.regex.Pattern;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Masks the password of the client and the secrets of hooks in the actuator endpoints {@code env} and
 * {@code configprops}.
 */
@AutoConfiguration
@ConditionalOnClass(SanitizingFunction.class)
public final class DelayJobClientSecretsAutoConfiguration {

    /** Names are compared in lower case and without separators, because environment variables have other separators. */
    private static final Pattern SECRET = Pattern.compile("delayjobclient(password|hooks.*secret)");

    @Bean
    SanitizingFunction delayJobClientSecretsAreMasked() {
        return data -> SECRET.matcher(letters(data)).matches() ? data.withSanitizedValue() : data;
    }

    private static String letters(SanitizableData data) {
        return data.getKey().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }
}
