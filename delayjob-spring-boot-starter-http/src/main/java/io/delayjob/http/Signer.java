package io.delayjob.http;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookSigningException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Signs messages by the rules of Standard Webhooks, with one secret, or with two while a secret is being replaced.
 * Thread-safe.
 */
final class Signer {

    private static final int LEAST_BYTES = 24;
    private static final int MOST_BYTES = 64;

    private final List<Webhook> webhooks;

    private Signer(List<Webhook> webhooks) {
        this.webhooks = webhooks;
    }

    /** Returns {@code null} if the target has no secret. Error messages do not show a secret. */
    static @Nullable Signer of(String target, @Nullable String secret, @Nullable String previous) {
        if (secret == null) {
            if (previous != null) {
                throw new IllegalArgumentException(
                        ("Invalid previous-secret of target '%s': needs the new secret beside it; set secret, or "
                                        + "remove previous-secret.")
                                .formatted(target));
            }
            return null;
        }
        List<Webhook> webhooks = new ArrayList<>();
        webhooks.add(webhook(target, "secret", secret));
        if (previous != null) {
            webhooks.add(webhook(target, "previous-secret", previous));
        }
        return new Signer(List.copyOf(webhooks));
    }

    private static Webhook webhook(String target, String key, String secret) {
        try {
            byte[] bytes = Base64.getDecoder()
                    .decode(
                            secret.startsWith(Webhook.SECRET_PREFIX)
                                    ? secret.substring(Webhook.SECRET_PREFIX.length())
                                    : secret);
            if (bytes.length >= LEAST_BYTES && bytes.length <= MOST_BYTES) {
                return new Webhook(bytes);
            }
        } catch (IllegalArgumentException | EmptyWebhookSecretException unreadable) {
            // The cause is left out, because it would show a part of the secret.
        }
        throw new IllegalArgumentException(
                "Invalid %s of target '%s': must be whsec_ followed by %d to %d bytes in Base64, such as the output of: openssl rand -base64 32"
                        .formatted(key, target, LEAST_BYTES, MOST_BYTES));
    }

    String sign(String id, long epochSecond, String body) {
        List<String> signatures = new ArrayList<>();
        for (Webhook webhook : webhooks) {
            try {
                signatures.add(webhook.sign(id, epochSecond, body));
            } catch (WebhookSigningException impossible) {
                throw new IllegalStateException("A call could not be signed: " + impossible.getMessage(), impossible);
            }
        }
        return String.join(" ", signatures);
    }

    @Override
    public String toString() {
        return "Signer[******]";
    }
}
