/**
 * Tests real processes under real faults. Several JVMs use one database server. A seed determines a plan of faults, and
 * the ledgers survive the processes. At the end, checks examine everything that was written down.
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
 * <p>All processes run on one machine and compare times by its monotonic clock. The database uses the clock of the same
 * machine. So the checks can tell, without asking the engine, which jobs started too early.
 */
@NullMarked
package io.delayjob.proofs.chaos;

import org.jspecify.annotations.NullMarked;
