package io.delayjob.http;

import io.delayjob.job.JobId;
import io.delayjob.test.DelayJobTester;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.boot.http.client.InetAddressFilter;

/**
 * Calls a target by a name. Once the filter of addresses has seen the address of that name, the name gets another
 * address, which the filter would refuse. Runs in a process of its own, because the JVM reads the addresses of names
 * from the file that {@code jdk.net.hosts.file} states.
 */
final class RebindingMain {

    private static final String NAME = "rebound.test";
    private static final String ALLOWED = "127.0.0.2";
    private static final String REFUSED = "127.0.0.1";

    private RebindingMain() {}

    /** @param arguments the file with the addresses of names */
    public static void main(String[] arguments) {
        Path hosts = Path.of(arguments[0]);
        point(hosts, ALLOWED);
        InetAddressFilter filter = address -> {
            boolean allowed = address.equals(address(ALLOWED));
            point(hosts, REFUSED);
            return allowed;
        };
        try (Receiver receiver = new Receiver()) {
            VirtualEngine.contexts()
                    .withBean(InetAddressFilter.class, () -> filter)
                    .withPropertyValues(
                            "delayjob.targets.billing.http.url=http://" + NAME + ":"
                                    + URI.create(receiver.url()).getPort(),
                            "delayjob.targets.billing.http.insecure=true",
                            "delayjob.targets.billing.retry.max-retries=0")
                    .run(context -> {
                        DelayJobTester tester = context.getBean(DelayJobTester.class);
                        tester.tolerateFailures();
                        JobId id = tester.operations().schedule("billing").now().id();
                        tester.runDue();
                        System.out.printf(
                                "%s, %d calls%n",
                                tester.operations().find(id).orElseThrow().state(), receiver.waiting());
                    });
        }
    }

    private static void point(Path hosts, String address) {
        try {
            Files.writeString(hosts, address + " " + NAME + "\n");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
