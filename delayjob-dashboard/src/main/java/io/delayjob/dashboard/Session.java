package io.delayjob.dashboard;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Data about the page's user and the application.
 *
 * @param user the name of the user; absent if no user is signed in
 * @param access {@code READ_ONLY} or {@code UNRESTRICTED}
 * @param mayChange whether the endpoint accepts changes by this user; Spring Security may still refuse a change
 * @param csrf the token that a request needs if it changes something; absent if there is no token
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Session(
        @Nullable String user,
        String access,
        boolean mayChange,
        @Nullable Token csrf,
        @Nullable String application,
        @Nullable String environment,
        @Nullable String version) {

    /** A token against forged requests. */
    record Token(String header, String token) {}
}
