package io.delayjob.actuate.endpoint;

/**
 * The operations of the endpoint for one job store.
 *
 * @param endpoint shows the store
 * @param pulse answers the requests that viewers send each second
 * @param changes makes changes to jobs, handlers and queues
 * @param bulk changes selections of jobs
 */
record StoreView(DelayJobsEndpoint endpoint, Pulse pulse, ChangesByHand changes, BulkChangesByHand bulk) {}
