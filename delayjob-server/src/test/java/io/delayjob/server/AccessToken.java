package io.delayjob.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/** An access token for the API. It is verified by a key in a file, which costs far less than the hash of a password. */
final class AccessToken {

    private static final Duration VALID = Duration.ofDays(1);

    private AccessToken() {}

    /**
     * Returns a token with these scopes.
     *
     * @param publicKey the file to write the key to
     */
    static String write(Path publicKey, String scopes) throws IOException, GeneralSecurityException {
        KeyPair keys = KeyPairGenerator.getInstance("RSA").generateKeyPair();
        Files.writeString(
                publicKey,
                "-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n"
                        .formatted(Base64.getMimeEncoder()
                                .encodeToString(keys.getPublic().getEncoded())));
        String claims = "{\"sub\":\"submitter\",\"scope\":\"%s\",\"exp\":%d}"
                .formatted(scopes, Instant.now().plus(VALID).getEpochSecond());
        String content = base64("{\"alg\":\"RS256\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + base64(claims.getBytes(StandardCharsets.UTF_8));
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(keys.getPrivate());
        signature.update(content.getBytes(StandardCharsets.US_ASCII));
        return content + "." + base64(signature.sign());
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
