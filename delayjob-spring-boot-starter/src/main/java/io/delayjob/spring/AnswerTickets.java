package io.delayjob.spring;

import io.delayjob.job.AnswerTicket;
import io.delayjob.job.JobId;
import io.delayjob.schedule.Stated;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Writes tickets as signed texts that may leave the application, and reads them again. A bean of this type exists if
 * {@code delayjob.answers.secret} is set. Thread-safe.
 *
 * <pre>{@code
 * carrier.book(orderId, tickets.write(job.ticket()));             // in the handler, before Next.awaitAnswer(…)
 * jobs.answer(tickets.read(text), Answer.done());                 // when the carrier calls back
 * }</pre>
 *
 * <p>The text of a ticket has 64 characters: letters, digits, {@code -} and {@code _}. The text is signed with 128 bits
 * of an HMAC-SHA256. The text does not contain the data of the job. But anyone who has the text may answer the attempt.
 */
public final class AnswerTickets {

    private static final int LEAST_SECRET_BYTES = 24;
    private static final int FIELDS_BYTES = 32;
    private static final int SIGNATURE_BYTES = 16;
    private static final int TEXT_LENGTH = (FIELDS_BYTES + SIGNATURE_BYTES) * 4 / 3;
    private static final String ALGORITHM = "HmacSHA256";

    /**
     * Each ticket's signature includes this text. So a signature that was made for another purpose is not valid for a
     * ticket.
     */
    private static final byte[] PURPOSE = "delayjob answer ticket 1".getBytes(StandardCharsets.US_ASCII);

    /** The present key comes first, then the previous one. */
    private final List<SecretKeySpec> keys;

    private final @Nullable String url;

    /**
     * @param secret the secret that signs new tickets. All instances must have the same secret. It is a text in Base64
     *     that stands for 24 bytes or more. The text may have the prefix {@code whsec_}
     * @param previousSecret a secret that is still accepted; {@code null} for none
     * @param url the URL below which this application accepts answers; {@code null} for no URL. The URL must not end
     *     with a slash
     * @throws IllegalArgumentException if a secret is too short or not Base64; the message does not show the secret
     */
    public AnswerTickets(String secret, @Nullable String previousSecret, @Nullable String url) {
        List<SecretKeySpec> read = new ArrayList<>();
        read.add(key("delayjob.answers.secret", secret));
        if (previousSecret != null) {
            read.add(key("delayjob.answers.previous-secret", previousSecret));
        }
        this.keys = List.copyOf(read);
        this.url = url;
    }

    private static SecretKeySpec key(String property, String secret) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(secret.startsWith("whsec_") ? secret.substring(6) : secret);
        } catch (IllegalArgumentException unreadable) {
            // The message of the cause would show a part of the secret.
            bytes = new byte[0];
        }
        if (bytes.length < LEAST_SECRET_BYTES) {
            throw new IllegalArgumentException(
                    "Invalid %s: must be %d bytes or more in Base64, such as the output of: openssl rand -base64 32"
                            .formatted(property, LEAST_SECRET_BYTES));
        }
        return new SecretKeySpec(bytes, ALGORITHM);
    }

    /** Returns the ticket as a signed text that fits into a URL. */
    public String write(AnswerTicket ticket) {
        Stated.notNull(ticket, "ticket", "must be a ticket from JobContext.ticket()");
        UUID job = ticket.job().value();
        byte[] fields = ByteBuffer.allocate(FIELDS_BYTES)
                .putLong(job.getMostSignificantBits())
                .putLong(job.getLeastSignificantBits())
                .putLong(ticket.scheduledAt().toEpochMilli())
                .putInt(ticket.run())
                .putInt(ticket.attempt())
                .array();
        byte[] signed = ByteBuffer.allocate(FIELDS_BYTES + SIGNATURE_BYTES)
                .put(fields)
                .put(signature(keys.get(0), fields))
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(signed);
    }

    /** Returns the URL that receives the answer for this ticket; empty if {@code delayjob.answers.url} is not set. */
    public Optional<String> address(AnswerTicket ticket) {
        return url == null ? Optional.empty() : Optional.of(url + "/" + write(ticket));
    }

    /** Tells whether this application has a URL to which receivers can send answers. */
    public boolean hasAddress() {
        return url != null;
    }

    /**
     * Reads a signed text.
     *
     * @throws InvalidTicketException if this application has not written the text
     */
    public AnswerTicket read(String text) {
        byte[] signed = decoded(text);
        byte[] fields = new byte[FIELDS_BYTES];
        byte[] signature = new byte[SIGNATURE_BYTES];
        ByteBuffer.wrap(signed).get(fields).get(signature);
        boolean genuine = false;
        for (SecretKeySpec key : keys) {
            genuine |= MessageDigest.isEqual(signature(key, fields), signature);
        }
        if (!genuine) {
            throw new InvalidTicketException();
        }
        ByteBuffer read = ByteBuffer.wrap(fields);
        JobId job = new JobId(new UUID(read.getLong(), read.getLong()));
        return new AnswerTicket(job, Instant.ofEpochMilli(read.getLong()), read.getInt(), read.getInt());
    }

    private static byte[] decoded(@Nullable String text) {
        // Padding stands for fewer bytes.
        if (text == null || text.length() != TEXT_LENGTH || text.endsWith("=")) {
            throw new InvalidTicketException();
        }
        try {
            return Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException unreadable) {
            throw new InvalidTicketException();
        }
    }

    private static byte[] signature(SecretKeySpec key, byte[] fields) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(PURPOSE);
            byte[] whole = mac.doFinal(fields);
            return ByteBuffer.allocate(SIGNATURE_BYTES)
                    .put(whole, 0, SIGNATURE_BYTES)
                    .array();
        } catch (NoSuchAlgorithmException | InvalidKeyException impossible) {
            throw new IllegalStateException("Every Java platform has " + ALGORITHM, impossible);
        }
    }

    @Override
    public String toString() {
        return "AnswerTickets[******]";
    }
}
