------------------------------ MODULE Progress ------------------------------
(***************************************************************************)
(* "The sweep gives liveness": every committed job comes to its end once   *)
(* faults have ceased, whatever leases, cursors and memory held.           *)
(*                                                                         *)
(* Jobs.tla says what must never happen; this module says what must        *)
(* happen.  It has the parts that Jobs.tla leaves out: leases, the         *)
(* window's cursor, the wheel, the sweep and adoption.  The order of       *)
(* events does not matter here: a due time comes, a lease expires and a    *)
(* silent instance is given up at some time.                               *)
(*                                                                         *)
(* Tokens are covered by Jobs.tla.  Here a transition invalidates all      *)
(* knowledge of the previous version: an old claim finds nothing, and an   *)
(* old completion is refused.                                              *)
(*                                                                         *)
(* Fairness: an agent that can act without interruption does so at some    *)
(* time.  EngineThreads and SupervisedAgent promise that.  Nothing is      *)
(* demanded of faults or of the user's commit.                             *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    Nodes,
    Able,       \* nodes that have the handler, and room for the job
    Runs,
    MaxFaults,
    Mutant      \* the rule of the protocol that is broken; "none" in the product

ASSUME Able \subseteq Nodes /\ Able # {}

Nobody == "nobody"
Forgotten == "a number that is not registered"

VARIABLES
    row,       \* the job; its owner while it is RUNNING
    due,       \* its time has come
    leasable,  \* the lock table works; it need not
    leader,    \* of the row's partition
    cursor,    \* whether the leader's window reader has passed the row's due time
    wheel,     \* nodes that have the present row in their wheel or lane
    held,      \* nodes that have the claim in memory
    unsure,    \* by node: the row after a claim without an answer, "as found", "as claimed" or "moved on"; otherwise "no"
    late,      \* nodes that have a claim under way that may still be applied, with the number that they had then
    node,      \* up, unheard (paused or cut off) or down
    faults

vars == <<row, due, leasable, leader, cursor, wheel, held, unsure, late, node, faults>>

Broken(rule) == Mutant = rule

Up(n) == node[n] = "up"

Init ==
    /\ row = [state |-> "uncommitted", run |-> 1, owner |-> Nobody]
    /\ due = FALSE
    /\ leasable \in BOOLEAN
    /\ leader = Nobody
    /\ cursor = "before"
    /\ wheel = {}
    /\ held = Nobody
    /\ unsure = [n \in Nodes |-> "no"]
    /\ late = [n \in Nodes |-> Nobody]
    /\ node = [n \in Nodes |-> "up"]
    /\ faults = 0

Fault == faults < MaxFaults /\ faults' = faults + 1

(* A fresh token.  Wheels, late claims and releases with the previous token find nothing. *)
Outdate(knowing) ==
    /\ wheel' = knowing
    /\ late' = [n \in Nodes |-> Nobody]
    /\ unsure' = [n \in Nodes |-> IF unsure[n] = "no" THEN "no" ELSE "moved on"]

(* The row waits.  The node that wrote the row knows it, if that node can run the job. *)
Wait(n, run) ==
    /\ row' = [state |-> "DELAYED", run |-> run, owner |-> Nobody]
    /\ held' = Nobody
    /\ Outdate({n} \cap Able)

----------------------------------------------------------------------------
(* The application, and time. *)

(* An instance may die before it hands the row over. *)
Commit ==
    /\ row.state = "uncommitted"
    /\ row' = [row EXCEPT !.state = "DELAYED"]
    /\ wheel' \in {{}} \cup {{n} : n \in {m \in Able : Up(m)}}
    /\ UNCHANGED <<due, leasable, leader, cursor, held, unsure, late, node, faults>>

ComeDue ==
    /\ ~due
    /\ due' = TRUE
    /\ UNCHANGED <<row, leasable, leader, cursor, wheel, held, unsure, late, node, faults>>

----------------------------------------------------------------------------
(* Lead: LeaseKeeper. *)

(* WindowReader.followLeases: the cursor begins now.  Earlier rows are left to the sweep. *)
Lead(n) ==
    /\ leader = Nobody /\ leasable /\ Up(n)
    /\ leader' = n
    /\ cursor' = IF due THEN "behind" ELSE "before"
    /\ UNCHANGED <<row, due, leasable, wheel, held, unsure, late, node, faults>>

Expire ==
    /\ leader # Nobody
    /\ ~leasable \/ ~Up(leader)
    /\ leader' = Nobody
    /\ UNCHANGED <<row, due, leasable, cursor, wheel, held, unsure, late, node, faults>>

----------------------------------------------------------------------------
(* Preload: WindowReader, Sweeper. *)

(* The cursor never comes back to rows that are not visible, or that cannot run here. *)
ReadWindow(n) ==
    /\ leader = n /\ Up(n) /\ cursor = "before"
    /\ cursor' = "behind"
    /\ wheel' = IF row.state = "DELAYED" /\ n \in Able THEN wheel \cup {n} ELSE wheel
    /\ UNCHANGED <<row, due, leasable, leader, held, unsure, late, node, faults>>

Overdue(n) == Up(n) /\ n \in Able \ wheel /\ row.state = "DELAYED" /\ due

Sweep(n) ==
    /\ leader = n /\ Overdue(n)
    /\ ~Broken("cursor without sweep")
    /\ wheel' = wheel \cup {n}
    /\ UNCHANGED <<row, due, leasable, leader, cursor, held, unsure, late, node, faults>>

Adopt(n) ==
    /\ leader # n /\ Overdue(n)
    /\ ~Broken("cursor without sweep") /\ ~Broken("no adoption")
    /\ wheel' = wheel \cup {n}
    /\ UNCHANGED <<row, due, leasable, leader, cursor, held, unsure, late, node, faults>>

----------------------------------------------------------------------------
(* Claim, release, complete: Claimer, Attempts, Completer. *)

(* The row may be due or not.  How early a row may be claimed does not matter here. *)
MayClaim(n) == Up(n) /\ row.state = "DELAYED" /\ n \in wheel /\ unsure[n] = "no"

ClaimedBy(number) == [row EXCEPT !.state = "RUNNING", !.owner = number]

Claim(n) ==
    /\ MayClaim(n)
    /\ row' = ClaimedBy(n)
    /\ held' = n
    /\ Outdate({})
    /\ UNCHANGED <<due, leasable, leader, cursor, node, faults>>

(* What an instance may find after a claim without an answer. *)
Unsure(n, state) ==
    [m \in Nodes |-> IF m = n THEN IF Broken("unknown claims not released") THEN "no" ELSE state
                     ELSE IF unsure[m] = "no" THEN "no" ELSE IF state = "as claimed" THEN "moved on" ELSE unsure[m]]

(* Fault: the claim was applied. *)
ClaimUnanswered(n) ==
    /\ MayClaim(n)
    /\ Fault
    /\ row' = ClaimedBy(n)
    /\ held' = Nobody
    /\ wheel' = {}
    /\ late' = [m \in Nodes |-> Nobody]
    /\ unsure' = Unsure(n, "as claimed")
    /\ UNCHANGED <<due, leasable, leader, cursor, node>>

(* Fault: the claim is applied at some time, or never. *)
ClaimDelayed(n) ==
    /\ MayClaim(n)
    /\ Fault
    /\ wheel' = wheel \ {n}
    /\ late' = [late EXCEPT ![n] = n]
    /\ unsure' = Unsure(n, "as found")
    /\ UNCHANGED <<row, due, leasable, leader, cursor, held, node>>

ClaimLate(n) ==
    /\ late[n] # Nobody
    /\ row' = ClaimedBy(late[n])
    /\ held' = Nobody
    /\ wheel' = {}
    /\ late' = [m \in Nodes |-> Nobody]
    /\ unsure' = [m \in Nodes |-> IF unsure[m] = "no" THEN "no" ELSE IF m = n THEN "as claimed" ELSE "moved on"]
    /\ UNCHANGED <<due, leasable, leader, cursor, node, faults>>

Release(n) ==
    /\ Up(n) /\ unsure[n] # "no"
    /\ IF unsure[n] = "moved on" THEN UNCHANGED <<row, wheel, late>>
       ELSE /\ row' = [row EXCEPT !.state = "DELAYED", !.owner = Nobody]
            /\ wheel' = {}
            /\ late' = [m \in Nodes |-> Nobody]
    /\ unsure' = [unsure EXCEPT ![n] = "no"]
    /\ UNCHANGED <<due, leasable, leader, cursor, held, node, faults>>

(* Fault: the job is paused for a moment, or the store's clock is set back. *)
GiveBack(n) ==
    /\ Up(n) /\ held = n /\ ~due
    /\ Fault
    /\ row' = [row EXCEPT !.state = "DELAYED", !.owner = Nobody]
    /\ held' = Nobody
    /\ Outdate({})
    /\ UNCHANGED <<due, leasable, leader, cursor, node>>

(* A claimed job starts once it is due.  The next run is due at a later time, ahead of every cursor. *)
Complete(n) ==
    /\ Up(n) /\ held = n /\ due
    /\ IF row.run < Runs
         THEN Wait(n, row.run + 1) /\ due' = FALSE /\ cursor' = "before"
         ELSE /\ row' = [row EXCEPT !.state = "FINISHED", !.owner = Nobody]
              /\ held' = Nobody
              /\ Outdate({})
              /\ UNCHANGED <<due, cursor>>
    /\ UNCHANGED <<leasable, leader, node, faults>>

----------------------------------------------------------------------------
(* Silence and rescue: Membership, Rescuer. *)

GiveUp(n) ==
    /\ ~Up(n) /\ n \in {row.owner, late[n]}
    /\ \E m \in Nodes : Up(m)
    /\ row' = IF row.owner = n THEN [row EXCEPT !.owner = Forgotten] ELSE row
    /\ late' = IF late[n] = n THEN [late EXCEPT ![n] = Forgotten] ELSE late
    /\ UNCHANGED <<due, leasable, leader, cursor, wheel, held, unsure, node, faults>>

(* The rescuer looks only at rows that have come due. *)
RescueBy(n) ==
    /\ Up(n) /\ row.owner = Forgotten /\ due
    /\ Wait(n, row.run)
    /\ UNCHANGED <<due, leasable, leader, cursor, node, faults>>

RescueByLeader(n) == leader = n /\ RescueBy(n)

RescueByOthers(n) == leader # n /\ ~Broken("only leaders rescue") /\ RescueBy(n)

(* The node sends heartbeats again.  If it was given up meanwhile, it is registered anew. *)
Wake(n) ==
    /\ node[n] = "unheard"
    /\ node' = [node EXCEPT ![n] = "up"]
    /\ UNCHANGED <<row, due, leasable, leader, cursor, wheel, held, unsure, late, faults>>

----------------------------------------------------------------------------
(* Faults.  One instance that can run the job remains. *)

Crash(n) ==
    /\ node[n] # "down"
    /\ \E m \in Able \ {n} : node[m] # "down"
    /\ Fault
    /\ node' = [node EXCEPT ![n] = "down"]
    /\ wheel' = wheel \ {n}
    /\ held' = IF held = n THEN Nobody ELSE held
    /\ unsure' = [unsure EXCEPT ![n] = "no"]
    /\ UNCHANGED <<row, due, leasable, leader, cursor, late>>

GoUnheard(n) ==
    /\ Up(n)
    /\ Fault
    /\ node' = [node EXCEPT ![n] = "unheard"]
    /\ UNCHANGED <<row, due, leasable, leader, cursor, wheel, held, unsure, late>>

(* The database is away for all instances. *)
Outage ==
    /\ Fault
    /\ node' = [n \in Nodes |-> IF Up(n) THEN "unheard" ELSE node[n]]
    /\ UNCHANGED <<row, due, leasable, leader, cursor, wheel, held, unsure, late>>

(* The row was locked by a user's transaction and skipped, or memory was full, or the clock was set back. *)
Drop ==
    /\ wheel # {}
    /\ Fault
    /\ wheel' = {}
    /\ UNCHANGED <<row, due, leasable, leader, cursor, held, unsure, late, node>>

(* A lease that is lost, or given back. *)
LoseLease ==
    /\ leader # Nobody
    /\ Fault
    /\ leader' = Nobody
    /\ UNCHANGED <<row, due, leasable, cursor, wheel, held, unsure, late, node>>

(* The lock table breaks for ever. *)
BreakLeases ==
    /\ leasable
    /\ Fault
    /\ leasable' = FALSE
    /\ UNCHANGED <<row, due, leader, cursor, wheel, held, unsure, late, node>>

----------------------------------------------------------------------------
Faulty ==
    \/ Outage \/ Drop \/ LoseLease \/ BreakLeases
    \/ \E n \in Nodes : Crash(n) \/ GoUnheard(n) \/ ClaimUnanswered(n) \/ ClaimDelayed(n) \/ ClaimLate(n) \/ GiveBack(n)

Leading(n) == Lead(n) \/ ReadWindow(n) \/ Sweep(n) \/ Adopt(n)

Working(n) == Claim(n) \/ Release(n) \/ Complete(n)

Minding(n) == GiveUp(n) \/ RescueByLeader(n) \/ RescueByOthers(n) \/ Wake(n)

Next == Commit \/ ComeDue \/ Expire \/ Faulty \/ \E n \in Nodes : Leading(n) \/ Working(n) \/ Minding(n)

Fairness ==
    /\ WF_vars(ComeDue) /\ WF_vars(Expire)
    /\ \A n \in Nodes : WF_vars(Leading(n)) /\ WF_vars(Working(n)) /\ WF_vars(Minding(n))

Spec == Init /\ [][Next]_vars /\ Fairness

----------------------------------------------------------------------------
EveryCommittedJobEnds == row.state = "DELAYED" ~> row.state = "FINISHED"

=============================================================================
