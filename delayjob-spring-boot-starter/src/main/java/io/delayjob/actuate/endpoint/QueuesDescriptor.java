package io.delayjob.actuate.endpoint;

import java.util.List;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The queues that any instance of the cluster knows.
 *
 * @param queues the queues
 */
record QueuesDescriptor(List<QueueDescriptor> queues) implements OperationResponseBody {}
