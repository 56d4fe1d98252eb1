package io.delayjob.actuate.endpoint;

/** The operations of the endpoint for one job store. */
record StoreView(DelayJobsEndpoint endpoint, Pulse pulse, ChangesByHand changes, BulkChangesByHand bulk) {}
