package io.delayjob.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.util.UrlPathHelper;

/** Serves the dashboard over Spring MVC. */
final class MvcDashboard implements HttpRequestHandler {

    /** The class is named by a string, because Spring Security may be absent. */
    private static final String CSRF = "org.springframework.security.web.csrf.CsrfToken";

    private final Dashboard dashboard;
    private final String root;

    /** @param root the endpoint's path, below the application's path */
    MvcDashboard(Dashboard dashboard, String root) {
        this.dashboard = dashboard;
        this.root = root;
    }

    @Override
    public void handleRequest(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!HttpMethod.GET.matches(request.getMethod()) && !HttpMethod.HEAD.matches(request.getMethod())) {
            response.setHeader(HttpHeaders.ALLOW, "GET, HEAD");
            response.setStatus(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
            return;
        }
        PageFile.HEADERS.forEach(response::setHeader);
        String asked =
                UrlPathHelper.defaultInstance.getLookupPathForRequest(request).substring(root.length());
        if (asked.equals(Dashboard.PATH)) {
            response.setHeader(HttpHeaders.LOCATION, Dashboard.DOCUMENT.substring(1));
            response.setStatus(HttpServletResponse.SC_FOUND);
            return;
        }
        String name = asked.substring(Dashboard.DOCUMENT.length());
        PageFile file = dashboard.file(name);
        if (name.equals(Dashboard.SESSION)) {
            response.setHeader(HttpHeaders.CACHE_CONTROL, PageFile.NO_STORE);
            byte[] session = dashboard.session(request.getUserPrincipal(), request::isUserInRole, token(request));
            write(response, MediaType.APPLICATION_JSON_VALUE, session);
        } else if (file == null) {
            response.setStatus(HttpServletResponse.SC_NOT_FOUND);
        } else {
            response.setHeader(HttpHeaders.ETAG, file.tag());
            if (file.isKnownBy(request.getHeader(HttpHeaders.IF_NONE_MATCH))) {
                response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            } else {
                write(response, file.type(), file.content());
            }
        }
    }

    private static void write(HttpServletResponse response, String type, byte[] body) throws IOException {
        response.setContentType(type);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private static Session.@Nullable Token token(HttpServletRequest request) {
        Object attribute = request.getAttribute(CSRF);
        return attribute == null ? null : Csrf.of(attribute);
    }

    /** This class is loaded only if a CSRF token exists, because Spring Security may be absent. */
    private static final class Csrf {

        static Session.Token of(Object attribute) {
            CsrfToken token = (CsrfToken) attribute;
            return new Session.Token(token.getHeaderName(), token.getToken());
        }
    }
}
