package io.delayjob.actuate.endpoint;

import java.util.List;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** The queues that any instance of the cluster knows. */
record QueuesDescriptor(List<QueueDescriptor> queues, PausedDescriptor paused) implements OperationResponseBody {}
