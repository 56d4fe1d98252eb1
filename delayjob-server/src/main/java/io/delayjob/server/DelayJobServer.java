package io.delayjob.server;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Runs delayjob as a service. Everything is configured by properties, files and environment variables. */
@SpringBootApplication(proxyBeanMethods = false)
public class DelayJobServer {

    /** Starts the server. */
    public static void main(String[] args) {
        SpringApplication.run(DelayJobServer.class, args);
    }
}
