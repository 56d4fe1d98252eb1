------------------------------- MODULE Groups -------------------------------
(***************************************************************************)
(* When a group of jobs ends, and which job follows it, in a database:     *)
(* io.delayjob.jdbc.                                                       *)
(*                                                                         *)
(* A transaction that begins or ends members inserts a count, and changes  *)
(* no row of the group.  A fold adds the counts up.  If all members of a   *)
(* closed group have ended, the same transaction ends the group and writes *)
(* the job that follows.                                                   *)
(*                                                                         *)
(* Transactions.  Each action is the commit of a transaction, or one of    *)
(* its statements if another transaction may come between.  A process may  *)
(* die between any two of them, and then the transaction is rolled back.   *)
(* There is no action for a statement without an answer: like a crash, it  *)
(* leaves either all or nothing of its transaction.                        *)
(*                                                                         *)
(* The group's row has one lock, which additions share.  Statements read   *)
(* what was committed before they began.                                   *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    Members,    \* jobs that may become members
    Folders,    \* instances that fold; also purges and other changes by an instance
    Page,       \* maximum number of counts that a fold reads: GroupAdder.MAX_COUNTS
    MaxFaults,  \* bounds of the search: faults, failed members and calls by hand together
    Mutant      \* the rule of the protocol that is broken; "none" in the product

VARIABLES
    job,        \* by member: absent, adding, refused, unfinished, finished, failed, or alone (no longer a member)
    state,      \* of the group: GroupState, or "purged"
    sums,       \* the numbers in the group's row
    over,       \* whether the group's row says when the group has ended
    following,  \* whether the group's row has the job that follows
    warning,    \* the same for the job that waits for a failure; "written" if it has its row
    counts,     \* counts that are not added up: how many of each kind
    unwritten,  \* mutant: ends that are not counted yet
    holder,     \* the folder that has locked the group's row
    fold,       \* by folder: what it does, and the counts that it has read
    written,    \* history: how often the row of the job that follows was written
    warned,     \* the same for the job that waits for a failure
    faults

vars == <<job, state, sums, over, following, warning, counts, unwritten, holder, fold, written, warned, faults>>

Broken(rule) == Mutant = rule

Nobody == "nobody"

(* Counts of one member each.  A change of the group's row inserts a count of nothing, so that the next fold looks at it. *)
Kinds == {"begun", "finished", "failed", "nothing"}
None == [k \in Kinds |-> 0]
Plus(a, b) == [k \in Kinds |-> a[k] + b[k]]
Minus(a, b) == [k \in Kinds |-> IF a[k] > b[k] THEN a[k] - b[k] ELSE 0]
Size(a) == a.begun + a.finished + a.failed + a.nothing
One(kind) == [None EXCEPT ![kind] = 1]

(* GroupCounts.isComplete *)
Complete(a) == a.begun = a.finished + a.failed

Idle == [at |-> "idle", read |-> None]

Init ==
    /\ job = [m \in Members |-> "absent"]
    /\ state = "OPEN"
    /\ sums = None
    /\ over = FALSE
    /\ following = FALSE
    /\ warning = "none"
    /\ counts = None
    /\ unwritten = None
    /\ holder = Nobody
    /\ fold = [f \in Folders |-> Idle]
    /\ written = 0 /\ warned = 0
    /\ faults = 0

Fault == faults < MaxFaults /\ faults' = faults + 1

Set(m, to) == job' = [job EXCEPT ![m] = to]

Count(kind) == counts' = Plus(counts, One(kind))

TakesMembers == state \in {"OPEN", "CLOSED"}

(* Transactions with the shared lock of the group's row, and whether another one may have it alone. *)
Sharing == {m \in Members : job[m] = "adding"}
MayShare == holder = Nobody
MayLock == holder = Nobody /\ (Sharing = {} \/ Broken("additions without a lock"))

UNCHANGEDGroup == UNCHANGED <<state, sums, over, following, warning>>
UNCHANGEDFolds == UNCHANGED <<holder, fold, written, warned>>

----------------------------------------------------------------------------
(* Members begin: Submission, GroupMembers. *)

(* GroupMembers.refusal: takes the shared lock. *)
Add(m) ==
    /\ job[m] = "absent" /\ MayShare
    /\ Set(m, IF TakesMembers THEN "adding" ELSE "refused")
    /\ UNCHANGED <<counts, unwritten, faults>> /\ UNCHANGEDGroup /\ UNCHANGEDFolds

(* GroupMembers.begin: the row of the member and its count are committed together. *)
CommitAddition(m) ==
    /\ job[m] = "adding"
    /\ Set(m, "unfinished")
    /\ Count("begun")
    /\ UNCHANGED <<unwritten, faults>> /\ UNCHANGEDGroup /\ UNCHANGEDFolds

RollBackAddition(m) ==
    /\ job[m] = "adding"
    /\ Set(m, "refused")
    /\ UNCHANGED <<counts, unwritten, faults>> /\ UNCHANGEDGroup /\ UNCHANGEDFolds

----------------------------------------------------------------------------
(* Members end: Endings.countMembers, in the transaction of the end.  No lock is needed. *)

CountEnd(kind) ==
    IF Broken("ends are counted after their commit")
      THEN unwritten' = Plus(unwritten, One(kind)) /\ UNCHANGED counts
      ELSE Count(kind) /\ UNCHANGED unwritten

(* Finished, or cancelled, which makes no difference here. *)
Finish(m) ==
    /\ job[m] = "unfinished"
    /\ Set(m, "finished")
    /\ CountEnd("finished")
    /\ UNCHANGED faults /\ UNCHANGEDGroup /\ UNCHANGEDFolds

Fail(m) ==
    /\ job[m] = "unfinished"
    /\ Fault
    /\ Set(m, "failed")
    /\ CountEnd("failed")
    /\ UNCHANGEDGroup /\ UNCHANGEDFolds

(* Followers.write: the next job of a chain is a member, too.  It is counted even if the group was cancelled. *)
FinishBefore(m, next) ==
    /\ job[m] = "unfinished" /\ job[next] = "absent" /\ ~Broken("ends are counted after their commit")
    /\ job' = [job EXCEPT ![m] = "finished", ![next] = "unfinished"]
    /\ counts' = Plus(Plus(counts, One("finished")), One("begun"))
    /\ UNCHANGED <<unwritten, faults>> /\ UNCHANGEDGroup /\ UNCHANGEDFolds

(* By hand.  GroupMembers.revived: with the shared lock, the member begins once more, or leaves its group. *)
Retry(m) ==
    /\ job[m] = "failed" /\ MayShare
    /\ Fault
    /\ IF TakesMembers THEN Set(m, "unfinished") /\ Count("begun") ELSE Set(m, "alone") /\ UNCHANGED counts
    /\ UNCHANGED unwritten /\ UNCHANGEDGroup /\ UNCHANGEDFolds

(* Mutant: a second transaction, unless the process dies before. *)
CountLater(kind) ==
    /\ unwritten[kind] > 0
    /\ unwritten' = Minus(unwritten, One(kind))
    /\ (Count(kind) /\ UNCHANGED faults) \/ (Fault /\ UNCHANGED counts)
    /\ UNCHANGED job /\ UNCHANGEDGroup /\ UNCHANGEDFolds

----------------------------------------------------------------------------
(* The group's row changes: JdbcGroups.close, whenAnyFails, cancel.  Each locks the row alone. *)

Close ==
    /\ MayLock /\ state = "OPEN"
    /\ state' = "CLOSED"
    /\ following' = TRUE
    /\ Count("nothing")
    /\ UNCHANGED <<job, sums, over, warning, unwritten, faults>> /\ UNCHANGEDFolds

WhenAnyFails ==
    /\ MayLock /\ TakesMembers /\ warning = "none"
    /\ Fault
    /\ warning' = "set"
    /\ Count("nothing")
    /\ UNCHANGED <<job, state, sums, over, following, unwritten>> /\ UNCHANGEDFolds

Cancel ==
    /\ MayLock /\ TakesMembers
    /\ Fault
    /\ state' = "CANCELLED"
    /\ following' = (following /\ Broken("a cancelled group keeps the job that follows"))
    /\ warning' = "none"
    /\ Count("nothing")
    /\ UNCHANGED <<job, sums, over, unwritten>> /\ UNCHANGEDFolds

----------------------------------------------------------------------------
(* Fold: GroupAdder.  Any instance may fold, and two may fold at the same time. *)

Step(f, at, read) == fold' = [fold EXCEPT ![f] = [at |-> at, read |-> read]]

(* GroupSql.lockCounted: skips a locked group. *)
FoldLock(f) ==
    /\ fold[f].at = "idle" /\ state # "purged" /\ counts # None
    /\ MayLock \/ (Broken("two folds at a time") /\ Sharing = {})
    /\ ~Broken("the counts are read before the group is locked")
    /\ holder' = f
    /\ Step(f, "locked", None)
    /\ UNCHANGED <<job, counts, unwritten, written, warned, faults>> /\ UNCHANGEDGroup

(* GroupSql.findCounts: all counts, or a page if there are more. *)
Parts ==
    {part \in [begun : 0 .. counts.begun, finished : 0 .. counts.finished, failed : 0 .. counts.failed,
               nothing : 0 .. counts.nothing] : Size(part) = Page}

FoldRead(f) ==
    /\ fold[f].at = IF Broken("the counts are read before the group is locked") THEN "idle" ELSE "locked"
    /\ state # "purged" /\ counts # None
    /\ IF Size(counts) <= Page
         THEN Step(f, "read", counts)
         ELSE \E part \in Parts : Step(f, "read a part", part)
    /\ UNCHANGED <<job, counts, unwritten, holder, written, warned, faults>> /\ UNCHANGEDGroup

(* StoredGroup.ends: a part of the counts proves nothing. *)
Ends(f, sum) ==
    /\ ~over /\ state # "OPEN" /\ Complete(sum)
    /\ fold[f].at = "read" \/ Broken("a part of the counts proves the end")
    /\ Size(fold[f].read) < Page \/ ~Broken("a full page counts as a part")

(* The job that follows is written in the transaction that ends the group. *)
FoldCommit(f) ==
    /\ fold[f].at \in {"read", "read a part"}
    /\ Broken("the counts are read before the group is locked") => MayLock /\ Size(fold[f].read) <= Size(counts)
    /\ LET read == fold[f].read
           sum == Plus(sums, read)
           ends == Ends(f, sum)
           warns == warning = "set" /\ sum.failed > 0
           late == Broken("the job that follows is written in another transaction")
       IN /\ sums' = [sum EXCEPT !.nothing = 0]
          /\ counts' = IF Broken("a fold deletes counts that it has not read") THEN None ELSE Minus(counts, read)
          /\ over' = (over \/ ends)
          /\ state' = IF ends /\ state = "CLOSED" THEN "ENDED" ELSE state
          /\ following' = (following /\ ~ends)
          /\ warning' = IF warns THEN "written" ELSE warning
          /\ warned' = IF warns THEN warned + 1 ELSE warned
          /\ written' = IF ends /\ following /\ ~late THEN written + 1 ELSE written
          /\ IF ends /\ following /\ late THEN Step(f, "to write", None) ELSE Step(f, "idle", None)
    /\ holder' = IF holder = f THEN Nobody ELSE holder
    /\ UNCHANGED <<job, unwritten, faults>>

(* Mutant. *)
WriteLater(f) ==
    /\ fold[f].at = "to write"
    /\ written' = written + 1
    /\ Step(f, "idle", None)
    /\ UNCHANGED <<job, counts, unwritten, holder, warned, faults>> /\ UNCHANGEDGroup

(* Fault: kill -9, or the connection breaks. *)
Die(f) ==
    /\ fold[f].at # "idle"
    /\ Fault
    /\ Step(f, "idle", None)
    /\ holder' = IF holder = f THEN Nobody ELSE holder
    /\ UNCHANGED <<job, counts, unwritten, written, warned>> /\ UNCHANGEDGroup

----------------------------------------------------------------------------
(* Purge: JdbcGroups.purge.  At some time every group is old. *)

(* GroupSql.LOCK_OLD *)
IsUnused == state = "CANCELLED" \/ (state = "OPEN" /\ sums.begun = 0)

PurgeLock(f) ==
    /\ fold[f].at = "idle" /\ state # "purged"
    /\ over \/ IsUnused
    /\ MayLock
    /\ Fault
    /\ holder' = f
    /\ Step(f, "to purge", None)
    /\ UNCHANGED <<job, counts, unwritten, written, warned>> /\ UNCHANGEDGroup

(* DELETE ... WHERE NOT EXISTS (SELECT 1 FROM group_change ...) *)
Purge(f) ==
    /\ fold[f].at = "to purge"
    /\ LET deletes == counts = None \/ Broken("a purge does not look for counts")
       IN /\ state' = IF deletes THEN "purged" ELSE state
          /\ following' = (following /\ ~deletes)
          /\ sums' = IF deletes THEN None ELSE sums
    /\ holder' = Nobody
    /\ Step(f, "idle", None)
    /\ UNCHANGED <<job, over, warning, counts, unwritten, written, warned, faults>>

(* JdbcGroups.deleteOrphans *)
DeleteOrphans(f) ==
    /\ fold[f].at = "idle" /\ state = "purged" /\ counts # None
    /\ counts' = None
    /\ UNCHANGED <<job, unwritten, faults>> /\ UNCHANGEDGroup /\ UNCHANGEDFolds

----------------------------------------------------------------------------
OfMember(m) == CommitAddition(m) \/ RollBackAddition(m) \/ Finish(m) \/ Fail(m) \/ \E next \in Members : FinishBefore(m, next)

OfFolder(f) == FoldLock(f) \/ FoldRead(f) \/ FoldCommit(f) \/ Purge(f) \/ DeleteOrphans(f)

Next ==
    \/ Close \/ WhenAnyFails \/ Cancel
    \/ \E m \in Members : Add(m) \/ OfMember(m) \/ Retry(m)
    \/ \E f \in Folders : OfFolder(f) \/ PurgeLock(f) \/ WriteLater(f) \/ Die(f)
    \/ \E k \in Kinds : CountLater(k)

(* Transactions end, members end, and instances fold.  Nothing is demanded of calls and faults. *)
Fairness == (\A m \in Members : WF_vars(OfMember(m))) /\ (\A f \in Folders : WF_vars(OfFolder(f)))

Spec == Init /\ [][Next]_vars /\ Fairness

----------------------------------------------------------------------------
In(states) == Cardinality({m \in Members : job[m] \in states})

(* What people see is right at any time: JdbcGroups.find adds the counts that are not added up yet. *)
CountsAreTrue ==
    LET all == Plus(sums, counts)
    IN state # "purged" => all.begun - all.finished - all.failed = In({"unfinished"})

(* The end of a group is noticed when all members have ended, and no earlier. *)
EndMeansAllEnded == over => In({"unfinished", "adding"}) = 0

(* The job that follows gets its row once, together with the end, and never after a cancel. *)
FollowerIsWrittenOnce ==
    /\ written <= 1 /\ warned <= 1
    /\ written = 1 => over
    /\ state = "CANCELLED" => written = 0
    /\ state = "ENDED" => written = 1

(* Retention deletes only groups that are over, and groups that have no members or were cancelled. *)
PurgeLeavesMembersAlone == [][state' = "purged" /\ state \in {"OPEN", "CLOSED"} => In({"unfinished", "adding"}) = 0]_vars

(* A group that is closed, and not cancelled later, ends, and its job follows. *)
ClosedGroupEnds == state = "CLOSED" ~> written = 1 \/ state \in {"CANCELLED", "purged"}

(* Nothing is left of a group that was purged. *)
OrphansAreDeleted == state = "purged" ~> counts = None

=============================================================================
