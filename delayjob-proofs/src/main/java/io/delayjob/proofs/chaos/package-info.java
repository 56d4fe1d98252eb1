/**
 * Real processes under real faults: several JVMs on one PostgreSQL, a seeded plan of what is done to them, ledgers that
 * outlive them, and checks over all that was written down.
 *
 * <pre>
 *   LongRun / tests --> Round --> Cluster --> WorkerProcess x n --stdin--> WorkerMain: Load, Handlers, engine
 *                         |          |             |  (a TCP proxy each)        |
 *                         |          '-> Injector  |                            '--> ledger (a file each)
 *                         |          (FaultPlan)                                         |
 *                         '--> Evidence: ledgers, faults done, rows left  &lt;--------------'
 *                                 |
 *                                 '--> Checks (what must hold), Figures (how long it took)
 * </pre>
 *
 * All processes run on one machine, and compare times by its monotonic clock; the database's clock is that machine's
 * too, so whether a job started early is judged without asking the engine.
 */
@NullMarked
package io.delayjob.proofs.chaos;

import org.jspecify.annotations.NullMarked;
