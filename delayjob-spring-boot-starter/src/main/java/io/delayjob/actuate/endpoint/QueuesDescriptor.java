package io.delayjob.actuate.endpoint;

import java.util.List;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The queues that any instance of the cluster knows.
 *
 * @param queues the queues
 * @param paused handlers and queues that are paused in the whole cluster
 */
record QueuesDescriptor(List<QueueDescriptor> queues, PausedDescriptor paused) implements OperationResponseBody {}
