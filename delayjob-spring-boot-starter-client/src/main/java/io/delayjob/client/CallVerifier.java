package io.delayjob.client;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Verifies signatures of Standard Webhooks, and refuses a signature that is older than five minutes. Thread-safe. */
final class CallVerifier {

    static final String ANSWER_TO = "delayjob-answer-to";
    static final String ATTEMPT = "delayjob-attempt";

    /** Matches the id of a call, which contains the job, the run, and the time when the job was scheduled. */
    private static final Pattern ID =
            Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}:[1-9][0-9]{0,8}(:[0-9a-z]{1,13})?");

    private static final Pattern TICKET = Pattern.compile("[A-Za-z0-9._~:-]{1,500}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    private final List<Webhook> secrets;

    /**
     * Without a secret, the verifier accepts no call.
     *
     * @throws IllegalArgumentException if a secret is not Base64, or is empty
     */
    CallVerifier(@Nullable String secret, @Nullable String previousSecret) {
        this.secrets = Stream.of(Optional.ofNullable(secret), Optional.ofNullable(previousSecret))
                .flatMap(Optional::stream)
                .map(CallVerifier::webhook)
                .toList();
    }

    private static Webhook webhook(String secret) {
        try {
            return new Webhook(secret);
        } catch (EmptyWebhookSecretException empty) {
            throw new IllegalArgumentException(
                    "Invalid delayjob.client.hooks.secret: must not be empty; set it to the target's secret.", empty);
        }
    }

    /**
     * Returns the call. The result is empty if the server has not signed the call, or has signed the call too long ago.
     */
    Optional<DelayedCall> verified(Function<String, @Nullable String> headers, byte[] body) {
        String id = headers.apply(Webhook.UNBRANDED_MSG_ID_KEY);
        String timestamp = headers.apply(Webhook.UNBRANDED_MSG_TIMESTAMP_KEY);
        String signature = headers.apply(Webhook.UNBRANDED_MSG_SIGNATURE_KEY);
        if (id == null
                || timestamp == null
                || signature == null
                || !ID.matcher(id).matches()) {
            return Optional.empty();
        }
        Map<String, List<String>> signed = Map.of(
                Webhook.UNBRANDED_MSG_ID_KEY, List.of(id),
                Webhook.UNBRANDED_MSG_TIMESTAMP_KEY, List.of(timestamp),
                Webhook.UNBRANDED_MSG_SIGNATURE_KEY, List.of(signature));
        String text = new String(body, StandardCharsets.UTF_8);
        if (secrets.stream().noneMatch(secret -> isSigned(secret, text, signed))) {
            return Optional.empty();
        }
        return Optional.of(new DelayedCall(
                id,
                Instant.ofEpochSecond(Long.parseLong(timestamp)),
                number(headers.apply(ATTEMPT)),
                ticket(headers.apply(ANSWER_TO))));
    }

    private static boolean isSigned(Webhook secret, String body, Map<String, List<String>> headers) {
        try {
            secret.verify(body, headers);
            return true;
        } catch (WebhookVerificationException forged) {
            return false;
        }
    }

    private static int number(@Nullable String text) {
        return text != null && NUMBER.matcher(text).matches() ? Integer.parseInt(text) : 0;
    }

    /** Returns only the ticket, because answers go to the configured server, never to an address that a call names. */
    private static @Nullable String ticket(@Nullable String answerTo) {
        if (answerTo == null) {
            return null;
        }
        String ticket = answerTo.substring(answerTo.lastIndexOf('/') + 1);
        return TICKET.matcher(ticket).matches() ? ticket : null;
    }
}
