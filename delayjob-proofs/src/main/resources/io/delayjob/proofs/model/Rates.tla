-------------------------------- MODULE Rates --------------------------------
(***************************************************************************)
(* How many attempts of one key start, if the handler has a rate by key:   *)
(* KeyedRate, KeyBucket, Bucket.                                           *)
(*                                                                         *)
(* Leases.tla shows that there is one leader of the key's partition at a   *)
(* time.  So this module does not say which instance leads, only whether   *)
(* one does.  Leaders do not tell each other about tokens.  A leader has   *)
(* only the tokens that have come under its own lease, and starts only     *)
(* attempts whose tokens were reserved under this lease.                   *)
(*                                                                         *)
(* A tick is a part of the time in which the rate adds one token.  The     *)
(* first tokens of all leaders come at the same ticks, counted from the    *)
(* epoch.  Without that, each change of the leader could add almost one    *)
(* token.  While jobs of the key wait or are being claimed, one token more *)
(* than the burst fits into the bucket.                                    *)
(***************************************************************************)
EXTENDS Naturals

CONSTANTS
    Burst,   \* number of attempts that may start at once after an idle time
    Parts,   \* number of ticks in which the rate adds one token
    Mutant   \* the rule of the protocol that is broken; "none" in the product

VARIABLES
    led,       \* whether an instance leads the partition of the key
    tokens,    \* the bucket of the leader, in parts of a token
    wanted,    \* whether jobs of the key wait on the leader
    reserved,  \* number of claims that have reserved a token under the present lease, and have not started
    left,      \* the same under earlier leases
    phase,     \* ticks since the last whole token, counted from the epoch
    beyond     \* history: starts beyond the rate, in the period that ends now and has most of them, in parts of a token

vars == <<led, tokens, wanted, reserved, left, phase, beyond>>

Broken(rule) == Mutant = rule

Min(a, b) == IF a < b THEN a ELSE b

(* KeyBucket.fit *)
Fitting(parts, isWanted, claims) == Min(parts, (Burst + (IF isWanted \/ claims > 0 THEN 1 ELSE 0)) * Parts)

Init ==
    /\ led = FALSE /\ tokens = 0 /\ wanted = FALSE /\ reserved = 0 /\ left = 0
    /\ phase \in 0..(Parts - 1) /\ beyond = 0

(* KeyedRate.newBucket, KeyedRate.fractionAt *)
Lead ==
    /\ ~led
    /\ led' = TRUE
    /\ tokens' = CASE Broken("a new leader begins with a burst") -> Burst * Parts
                   [] Broken("the first token does not come at a fixed time") -> Parts - 1
                   [] OTHER -> phase
    /\ UNCHANGED <<wanted, reserved, left, phase, beyond>>

(* The lease ends, at any time and without the help of its leader.  Its claims may be on their way. *)
LoseLease ==
    /\ led
    /\ led' = FALSE
    /\ tokens' = 0
    /\ wanted' = FALSE
    /\ reserved' = 0
    /\ left' = Min(left + reserved, Burst)
    /\ UNCHANGED <<phase, beyond>>

(* KeyBucket.setWanted: jobs of the key come, or no job of the key waits any more. *)
Want ==
    /\ led
    /\ wanted' = ~wanted
    /\ tokens' = Fitting(tokens, wanted', reserved)
    /\ UNCHANGED <<led, reserved, left, phase, beyond>>

(* KeyBucket.reserve, before a claim *)
Reserve ==
    /\ led /\ tokens >= (reserved + 1) * Parts
    /\ reserved' = reserved + 1
    /\ UNCHANGED <<led, tokens, wanted, left, phase, beyond>>

(* KeyBucket.leave: the claim was refused, or the job was given back.  The token stays in the bucket if it fits. *)
GiveBack ==
    /\ reserved > 0
    /\ reserved' = reserved - 1
    /\ tokens' = Fitting(tokens, wanted, reserved')
    /\ UNCHANGED <<led, wanted, left, phase, beyond>>

(* KeyBucket.start *)
Start ==
    /\ led /\ reserved > 0
    /\ reserved' = reserved - 1
    /\ tokens' = Fitting(tokens - Parts, wanted, reserved')
    /\ beyond' = beyond + Parts
    /\ UNCHANGED <<led, wanted, left, phase>>

(* KeyedRate.isHeld: the lease of the token has ended, so the job is released. *)
Release ==
    /\ left > 0
    /\ left' = left - 1
    /\ UNCHANGED <<led, tokens, wanted, reserved, phase, beyond>>

StartUnderAnotherLease ==
    /\ Broken("a start does not look at the lease of its token")
    /\ left > 0
    /\ left' = left - 1
    /\ beyond' = beyond + Parts
    /\ UNCHANGED <<led, tokens, wanted, reserved, phase>>

(* Bucket.refill: a full bucket takes no more tokens, even if some of its tokens are reserved. *)
Tick ==
    /\ phase' = (phase + 1) % Parts
    /\ tokens' = IF led THEN Fitting(tokens + 1, wanted, reserved) ELSE 0
    /\ beyond' = IF beyond > 0 THEN beyond - 1 ELSE 0
    /\ UNCHANGED <<led, wanted, reserved, left>>

Next == Lead \/ LoseLease \/ Want \/ Reserve \/ GiveBack \/ Start \/ Release \/ StartUnderAnotherLease \/ Tick

Spec == Init /\ [][Next]_vars

----------------------------------------------------------------------------
(* In any time t, fewer than burst + rate * t + 2 attempts start, however often the leader changes. *)
KeyRateIsKept == beyond < (Burst + 2) * Parts

=============================================================================
