package io.delayjob.dashboard;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What the page has to know about its user and the application.
 *
 * @param user the name of the user, absent if nobody is signed in
 * @param access {@code READ_ONLY} or {@code UNRESTRICTED}
 * @param mayChange whether the endpoint follows requests that change something; the rules of Spring Security may still
 *     refuse them
 * @param csrf the token that such requests need, absent if there is none
 * @param application the title of the page
 * @param environment where the application runs
 * @param version of delayjob
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

    /**
     * A token against forged requests.
     *
     * @param header the header to send it in
     * @param token the token
     */
    record Token(String header, String token) {}
}
