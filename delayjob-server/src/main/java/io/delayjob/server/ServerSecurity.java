package io.delayjob.server;

import static org.springframework.security.config.Customizer.withDefaults;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Protects all paths except the REST API. Everyone may read the health endpoint. Only operators may use the other
 * paths.
 */
@Configuration(proxyBeanMethods = false)
class ServerSecurity {

    private static final String OPERATE = "delayjob:operate";

    @Bean
    SecurityFilterChain operators(HttpSecurity http, ObjectProvider<JwtDecoder> tokens) throws Exception {
        http.authorizeHttpRequests(requests -> requests.requestMatchers("/actuator/health/**", "/error")
                        .permitAll()
                        .anyRequest()
                        .hasAnyAuthority(OPERATE, "SCOPE_" + OPERATE, "ROLE_" + OPERATE))
                .httpBasic(withDefaults());
        if (tokens.getIfAvailable() != null) {
            http.oauth2ResourceServer(server -> server.jwt(withDefaults()));
        }
        return http.build();
    }
}
