package io.delayjob.actuate.endpoint;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.web.util.UrlPathHelper;

/** Path of the endpoint in requests. */
final class EndpointPath {

    private final ObjectProvider<PathMappedEndpoints> endpoints;

    EndpointPath(ObjectProvider<PathMappedEndpoints> endpoints) {
        this.endpoints = endpoints;
    }

    boolean isOf(HttpServletRequest request) {
        return isOf(UrlPathHelper.defaultInstance.getLookupPathForRequest(request));
    }

    boolean isOf(String asked) {
        return endpoints.stream()
                .map(paths -> paths.getPath(UnknownArguments.ENDPOINT))
                .filter(Objects::nonNull)
                .findFirst()
                .filter(path -> asked.equals(path) || asked.startsWith(path + "/"))
                .isPresent();
    }
}
