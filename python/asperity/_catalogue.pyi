# Made by tools/python-docs from the catalogue of laws.
from typing import Optional, Sequence, Tuple, Union

from ._laws import Law

_Number = Union[float, str]
_Numbers = Union[float, str, Sequence[float], Sequence[str]]

__all__ = [
    "Threshold",
    "SmoothStatic",
    "Specker",
    "Dahl",
    "LuGre",
    "Elastoplastic",
    "ModifiedLeuven",
    "Gms",
    "SingleState",
    "SingleStateStribeck",
    "SingleStateFalling",
    "Multistate",
    "VirtualMass",
    "KelvinVoigt",
    "KelvinVoigtClamped",
    "Hertz",
    "HuntCrossley",
    "LinearCompliance",
    "NonlinearCompliance",
    "ImplicitContact",
    "FrictionalContact",
]

class Threshold(Law):
    """Coulomb friction, made viscous below a threshold velocity.

        f = F v/V   if |v| <= V
        f = F v/|v| otherwise

    Parameters
    ----------
    F : number, N, > 0, default 1
        sliding friction
    V : number, m/s, > 0, default 0.001
        threshold velocity

    Use it:
        as the baseline to compare with; for sliding that never stops

    Avoid it:
        whenever something has to stand still

    It cannot:
        hold: any load, however small, moves it at the speed V load/F

    Exceptions:
        creeps at V P/F under a constant load P < F

    Source: xiong2013 (1.4), (3.41). In scenes: law = "threshold".
    """
    def __init__(self, *, F: _Number = ..., V: _Number = ...) -> None: ...
    @property
    def F(self) -> float: ...
    @property
    def V(self) -> float: ...
    def replace(self, *, F: _Number = ..., V: _Number = ...) -> Threshold: ...  # type: ignore[override]

class SmoothStatic(Law):
    """Smooth static curve with Stribeck peak and viscous part.

        f = d v + F_c tanh(v/v_t) + F_D g(v)
        g(v) = (v/v_sp) exp(1/2 - v^2/(2 v_sp^2)),  F_D = F_s - F_c tanh(v_sp/v_t) - d v_sp

    Parameters
    ----------
    F_c : number, N, > 0, default 1
        kinetic friction
    F_s : number, N, > 0, default 1.4
        friction at the Stribeck peak
    v_t : number, m/s, > 0, default 0.005
        velocity over which friction builds up
    v_sp : number, m/s, > 0, default 0.01
        velocity of the Stribeck peak
    d : number, N s/m, >= 0, default 0.1
        viscous friction

    Use it:
        steady sliding, smooth optimisation, the static part of `specker`

    Avoid it:
        whenever something has to stand still

    It cannot:
        hold; show any hysteresis

    Exceptions:
        creeps at the velocity where the curve equals the load

    Source: specker2014 (1)-(11). In scenes: law = "smooth_static".
    """
    def __init__(self, *, F_c: _Number = ..., F_s: _Number = ..., v_t: _Number = ..., v_sp: _Number = ..., d: _Number = ...) -> None: ...
    @property
    def F_c(self) -> float: ...
    @property
    def F_s(self) -> float: ...
    @property
    def v_t(self) -> float: ...
    @property
    def v_sp(self) -> float: ...
    @property
    def d(self) -> float: ...
    def replace(self, *, F_c: _Number = ..., F_s: _Number = ..., v_t: _Number = ..., v_sp: _Number = ..., d: _Number = ...) -> SmoothStatic: ...  # type: ignore[override]

class Specker(Law):
    """Static curve behind a velocity-dependent low-pass filter.

        fdot = (1 - exp(-(v/v_0)^2))/T_1 (Fs(v) - f),   Fs as in smooth_static

    Parameters
    ----------
    F_c : number, N, > 0, default 1
        kinetic friction
    F_s : number, N, > 0, default 1.4
        friction at the Stribeck peak
    v_t : number, m/s, > 0, default 0.005
        velocity over which friction builds up
    v_sp : number, m/s, > 0, default 0.01
        velocity of the Stribeck peak
    d : number, N s/m, >= 0, default 0.1
        viscous friction
    v_0 : number, m/s, > 0, default 0.01
        velocity below which the filter closes
    T_1 : number, s, > 0, default 0.03
        time constant of the open filter

    Use it:
        observers and simulation with a fixed, coarse step: the force changes only while it moves

    Avoid it:
        holding a load; presliding displacement matters

    It cannot:
        hold a load for ever; store energy (it has no presliding spring)

    Exceptions:
        holds its force exactly at v = 0, but creeps under a load P at the velocity where Fs(v) = P

    Source: specker2014 (17). In scenes: law = "specker".
    """
    def __init__(self, *, F_c: _Number = ..., F_s: _Number = ..., v_t: _Number = ..., v_sp: _Number = ..., d: _Number = ..., v_0: _Number = ..., T_1: _Number = ...) -> None: ...
    @property
    def F_c(self) -> float: ...
    @property
    def F_s(self) -> float: ...
    @property
    def v_t(self) -> float: ...
    @property
    def v_sp(self) -> float: ...
    @property
    def d(self) -> float: ...
    @property
    def v_0(self) -> float: ...
    @property
    def T_1(self) -> float: ...
    def replace(self, *, F_c: _Number = ..., F_s: _Number = ..., v_t: _Number = ..., v_sp: _Number = ..., d: _Number = ..., v_0: _Number = ..., T_1: _Number = ...) -> Specker: ...  # type: ignore[override]

class Dahl(Law):
    """One bristle that yields gradually: smooth hysteresis, no hold.

        adot = v - |v| K a/F
        f = K a

    Parameters
    ----------
    F : number, N, > 0, default 1
        sliding friction
    K : number, N/m, > 0, default 100000
        bristle stiffness

    Use it:
        smooth rolling-bearing hysteresis, comparison

    Avoid it:
        anything that must hold under a varying load

    It cannot:
        hold: it drifts with every cycle of the load; Stribeck effect

    Exceptions:
        drifts by (F/K) ln[(F^2 - f1^2)/(F^2 - f2^2)] for each cycle of the load between f1 and f2

    Source: dahl1968; kikuuwe_yamamoto (11). In scenes: law = "dahl".
    """
    def __init__(self, *, F: _Number = ..., K: _Number = ...) -> None: ...
    @property
    def F(self) -> float: ...
    @property
    def K(self) -> float: ...
    def replace(self, *, F: _Number = ..., K: _Number = ...) -> Dahl: ...  # type: ignore[override]

class LuGre(Law):
    """Bristle with Stribeck limit and micro-damping: the control engineer's classic.

        adot = v - |v| K a/g(v)
        f = K a + B adot + D v
        g(v) = F_c + (F_s - F_c) exp(-|v/v_s|^alpha)

    Parameters
    ----------
    F_c : number, N, > 0, default 1
        kinetic friction, the limit at high speed
    F_s : number, N, > 0, default 1.5
        static friction, the limit at rest
    v_s : number, m/s, > 0, default 0.001
        Stribeck velocity: how fast the limit falls from F_s to F_c
    alpha : number, between 0.1 and 10, default 2
        Stribeck exponent
    K : number, N/m, > 0, default 100000
        bristle stiffness
    B : number, N s/m, >= 0, default 100
        micro-damping of the bristle
    D : number, N s/m, >= 0, default 0
        viscous friction

    Use it:
        friction compensation and comparison with the literature

    Avoid it:
        holding under vibration; large steps at speed with an explicit solver (T <= 2.785 g/(K |v|))

    It cannot:
        hold: it drifts with every cycle of the load

    Exceptions:
        drifts by (F/K) ln[(F^2 - f1^2)/(F^2 - f2^2)] for each cycle of the load between f1 and f2 (F =
        F_s)

    Source: canudas1995; xiong2013 (3.3), (4.1). In scenes: law = "lugre".
    """
    def __init__(self, *, F_c: _Number = ..., F_s: _Number = ..., v_s: _Number = ..., alpha: _Number = ..., K: _Number = ..., B: _Number = ..., D: _Number = ...) -> None: ...
    @property
    def F_c(self) -> float: ...
    @property
    def F_s(self) -> float: ...
    @property
    def v_s(self) -> float: ...
    @property
    def alpha(self) -> float: ...
    @property
    def K(self) -> float: ...
    @property
    def B(self) -> float: ...
    @property
    def D(self) -> float: ...
    def replace(self, *, F_c: _Number = ..., F_s: _Number = ..., v_s: _Number = ..., alpha: _Number = ..., K: _Number = ..., B: _Number = ..., D: _Number = ...) -> LuGre: ...  # type: ignore[override]

class Elastoplastic(Law):
    """Bristle with a purely elastic range: LuGre that holds small loads.

        adot = v (1 - A(a,v) K a sgn(v)/g(v))
        f = K a + B adot + D v,  a_ss = g(v)/K
        A = 0 if a v <= 0 or |a| <= a_ba;  1 if |a| >= a_ss;
            else 1/2 + 1/2 sin(pi (|a| - (a_ss + a_ba)/2)/(a_ss - a_ba))

    Parameters
    ----------
    F_c : number, N, > 0, default 1
        kinetic friction, the limit at high speed
    F_s : number, N, > 0, default 1.5
        static friction, the limit at rest
    v_s : number, m/s, > 0, default 0.001
        Stribeck velocity: how fast the limit falls from F_s to F_c
    alpha : number, between 0.1 and 10, default 2
        Stribeck exponent
    K : number, N/m, > 0, default 100000
        bristle stiffness
    B : number, N s/m, >= 0, default 100
        micro-damping of the bristle
    D : number, N s/m, >= 0, default 0
        viscous friction
    a_ba : number, m, >= 0, default 7e-06
        deflection up to which the bristle is purely elastic (at load 1)

    Use it:
        LuGre models that must not drift under small vibration

    Avoid it:
        presliding hysteresis with nested loops

    It cannot:
        hold loads above K a_ba; nonlocal memory

    Exceptions:
        drifts with each cycle of a load that exceeds K a_ba; below that it holds

    Source: dupont2002; named in xiong2013 4.1.1. In scenes: law = "elastoplastic".
    """
    def __init__(self, *, F_c: _Number = ..., F_s: _Number = ..., v_s: _Number = ..., alpha: _Number = ..., K: _Number = ..., B: _Number = ..., D: _Number = ..., a_ba: _Number = ...) -> None: ...
    @property
    def F_c(self) -> float: ...
    @property
    def F_s(self) -> float: ...
    @property
    def v_s(self) -> float: ...
    @property
    def alpha(self) -> float: ...
    @property
    def K(self) -> float: ...
    @property
    def B(self) -> float: ...
    @property
    def D(self) -> float: ...
    @property
    def a_ba(self) -> float: ...
    def replace(self, *, F_c: _Number = ..., F_s: _Number = ..., v_s: _Number = ..., alpha: _Number = ..., K: _Number = ..., B: _Number = ..., D: _Number = ..., a_ba: _Number = ...) -> Elastoplastic: ...  # type: ignore[override]

class ModifiedLeuven(Law):
    """Maxwell-slip hysteresis behind a yielding coordinate.

        zdot = v (1 - sgn(F_h/g) |F_h/g|^n),  g = sgn(v) g(|v|)
        F_h = sum kappa_i a_i,  a_i driven by zdot, yielding at lambda_i F_s
        f = F_h + B zdot + D v
        g(v) = F_c + (F_s - F_c) exp(-|v/v_s|^alpha)

    Parameters
    ----------
    F_c : number, N, > 0, default 1
        kinetic friction, the limit at high speed
    F_s : number, N, > 0, default 2.5
        static friction, the limit at rest
    v_s : number, m/s, > 0, default 5e-06
        Stribeck velocity: how fast the limit falls from F_s to F_c
    alpha : number, between 0.1 and 10, default 2
        Stribeck exponent
    n : number, between 1 and 20, default 2
        sharpness of the transition to sliding
    B : number, N s/m, >= 0, default 10000
        micro-damping
    D : number, N s/m, >= 0, default 0
        viscous friction
    beta : number, s, > 0, default 0.001
        damping time of the hysteresis elements
    kappa : list of numbers, N/m, > 0, default [5e+06, 2.5e+06, 1.66667e+06, 1.25e+06, ...]
        stiffness of each hysteresis element
    lambda_ : list of numbers, >= 0, default [0.1, 0.1, 0.1, 0.1, ...]
        share of F_s at which each element yields
    elements : int
        How many elements it has; all parameters at their defaults for so many.

    Use it:
        comparison with the literature on presliding hysteresis

    Avoid it:
        anything that must hold under a varying load

    It cannot:
        hold: it drifts, the less the larger n; frictional lag

    Exceptions:
        drifts by the integral of 1/(1 - r^n) - 1/(1 + r^n), r = F_h/F_s, over the elastic stroke of
        each load cycle

    Source: lampaert2002; named in xiong2013 4.1.1. In scenes: law = "modified_leuven".
    """
    def __init__(self, *, F_c: _Number = ..., F_s: _Number = ..., v_s: _Number = ..., alpha: _Number = ..., n: _Number = ..., B: _Number = ..., D: _Number = ..., beta: _Number = ..., kappa: _Numbers = ..., lambda_: _Numbers = ..., elements: Optional[int] = ...) -> None: ...
    @property
    def F_c(self) -> float: ...
    @property
    def F_s(self) -> float: ...
    @property
    def v_s(self) -> float: ...
    @property
    def alpha(self) -> float: ...
    @property
    def n(self) -> float: ...
    @property
    def B(self) -> float: ...
    @property
    def D(self) -> float: ...
    @property
    def beta(self) -> float: ...
    @property
    def kappa(self) -> Tuple[float, ...]: ...
    @property
    def lambda_(self) -> Tuple[float, ...]: ...
    def replace(self, *, F_c: _Number = ..., F_s: _Number = ..., v_s: _Number = ..., alpha: _Number = ..., n: _Number = ..., B: _Number = ..., D: _Number = ..., beta: _Number = ..., kappa: _Numbers = ..., lambda_: _Numbers = ...) -> ModifiedLeuven: ...  # type: ignore[override]

class Gms(Law):
    """Generalised Maxwell slip: N elements that switch between stick and slip.

        stick: adot_i = v   until |kappa_i a_i| = lambda_i g(v)
        slip:  adot_i = s_i (C lambda_i/kappa_i)(1 - s_i kappa_i a_i/(lambda_i g(v)))   until v changes sign
        f = sum kappa_i a_i + sigma_i adot_i
        g(v) = F_c + (F_s - F_c) exp(-|v/v_s|^alpha)

    Parameters
    ----------
    F_c : number, N, > 0, default 1
        kinetic friction, the limit at high speed
    F_s : number, N, > 0, default 2.5
        static friction, the limit at rest
    v_s : number, m/s, > 0, default 5e-06
        Stribeck velocity: how fast the limit falls from F_s to F_c
    alpha : number, between 0.1 and 10, default 2
        Stribeck exponent
    C : number, N/s, > 0, default 62
        how fast a slipping element approaches its limit
    kappa : list of numbers, N/m, > 0, default [5e+06, 2.5e+06, 1.66667e+06, 1.25e+06, ...]
        stiffness of each element
    sigma : list of numbers, N s/m, >= 0, default [1000, 1000, 1000, 1000, ...]
        micro-damping of each element
    lambda_ : list of numbers, >= 0, default [0.1, 0.1, 0.1, 0.1, ...]
        share of the limit carried by each element
    elements : int
        How many elements it has; all parameters at their defaults for so many.

    Use it:
        comparison with the literature

    Avoid it:
        gradient-based identification: it switches

    It cannot:
        give a continuous force when sigma > 0; certify passivity: a slipping element stretches at the
        rate C even at rest

    Exceptions:
        the force jumps by about sigma_i |v| each time an element starts to slip, whatever the step

    Source: xiong2013 (4.3); albender2005. In scenes: law = "gms".
    """
    def __init__(self, *, F_c: _Number = ..., F_s: _Number = ..., v_s: _Number = ..., alpha: _Number = ..., C: _Number = ..., kappa: _Numbers = ..., sigma: _Numbers = ..., lambda_: _Numbers = ..., elements: Optional[int] = ...) -> None: ...
    @property
    def F_c(self) -> float: ...
    @property
    def F_s(self) -> float: ...
    @property
    def v_s(self) -> float: ...
    @property
    def alpha(self) -> float: ...
    @property
    def C(self) -> float: ...
    @property
    def kappa(self) -> Tuple[float, ...]: ...
    @property
    def sigma(self) -> Tuple[float, ...]: ...
    @property
    def lambda_(self) -> Tuple[float, ...]: ...
    def replace(self, *, F_c: _Number = ..., F_s: _Number = ..., v_s: _Number = ..., alpha: _Number = ..., C: _Number = ..., kappa: _Numbers = ..., sigma: _Numbers = ..., lambda_: _Numbers = ...) -> Gms: ...  # type: ignore[override]

class SingleState(Law):
    """An elastic asperity behind a Coulomb slider: dry friction that holds still.

        b = beta + tau
        f = K sat(F/K, a + b v)
        adot = (f/K - a)/b

    Parameters
    ----------
    F : number, N, > 0, default 1
        sliding friction
    K : number, N/m, > 0, default 100000
        asperity stiffness
    beta : number, s, > 0, default 0.001
        asperity damping time (the damping is K beta)

    Use it:
        the default: blocks, grasps, joints, anything that has to hold under load and vibration

    Avoid it:
        presliding hysteresis is to be fitted (use multistate)

    It cannot:
        Stribeck effect, curved presliding, frictional lag

    Source: xiong2013 (3.9), (4.5); kikuuwe_yamamoto (14), (19). In scenes: law = "single_state".
    """
    def __init__(self, *, F: _Number = ..., K: _Number = ..., beta: _Number = ...) -> None: ...
    @property
    def F(self) -> float: ...
    @property
    def K(self) -> float: ...
    @property
    def beta(self) -> float: ...
    def replace(self, *, F: _Number = ..., K: _Number = ..., beta: _Number = ...) -> SingleState: ...  # type: ignore[override]

class SingleStateStribeck(Law):
    """The single state with a Stribeck limit: holds still, breaks away, stick-slips.

        b = beta + tau
        f = K sat(g(v)/K, a + b v)
        adot = (f/K - a)/b
        g(v) = F_c + (F_s - F_c) exp(-|v/v_s|^alpha)

    Parameters
    ----------
    F_c : number, N, > 0, default 1
        kinetic friction, the limit at high speed
    F_s : number, N, > 0, default 1.5
        static friction, the limit at rest
    v_s : number, m/s, > 0, default 0.001
        Stribeck velocity: how fast the limit falls from F_s to F_c
    alpha : number, between 0.1 and 10, default 2
        Stribeck exponent
    K : number, N/m, > 0, default 100000
        asperity stiffness
    beta : number, s, > 0, default 0.001
        asperity damping time (the damping is K beta)

    Use it:
        stick-slip with a higher breakaway force

    Avoid it:
        presliding hysteresis is to be fitted (use multistate)

    It cannot:
        curved presliding, frictional lag

    Source: xiong2013 (4.6), (4.7). In scenes: law = "single_state_stribeck".
    """
    def __init__(self, *, F_c: _Number = ..., F_s: _Number = ..., v_s: _Number = ..., alpha: _Number = ..., K: _Number = ..., beta: _Number = ...) -> None: ...
    @property
    def F_c(self) -> float: ...
    @property
    def F_s(self) -> float: ...
    @property
    def v_s(self) -> float: ...
    @property
    def alpha(self) -> float: ...
    @property
    def K(self) -> float: ...
    @property
    def beta(self) -> float: ...
    def replace(self, *, F_c: _Number = ..., F_s: _Number = ..., v_s: _Number = ..., alpha: _Number = ..., K: _Number = ..., beta: _Number = ...) -> SingleStateStribeck: ...  # type: ignore[override]

class SingleStateFalling(Law):
    """The single state with a limit that falls for ever: holds still, and a belt can keep it swinging.

        b = beta + tau
        f = K sat(g(v)/K, a + b v)
        adot = (f/K - a)/b
        g(v) = F_s/(1 + |v|/V)

    Parameters
    ----------
    F_s : number, N, > 0, default 1
        static friction, the limit at rest
    V : number, m/s, > 0, default 0.1
        the speed at which the limit has fallen to half of F_s
    K : number, N/m, > 0, default 100000
        asperity stiffness
    beta : number, s, > 0, default 0.001
        asperity damping time (the damping is K beta)

    Use it:
        self-excited vibration on belts and discs, whose literature has this curve

    Avoid it:
        friction that stays at high speed (use single_state_stribeck)

    It cannot:
        curved presliding, frictional lag

    Source: xiong2013 (3.38), (3.40). In scenes: law = "single_state_falling".
    """
    def __init__(self, *, F_s: _Number = ..., V: _Number = ..., K: _Number = ..., beta: _Number = ...) -> None: ...
    @property
    def F_s(self) -> float: ...
    @property
    def V(self) -> float: ...
    @property
    def K(self) -> float: ...
    @property
    def beta(self) -> float: ...
    def replace(self, *, F_s: _Number = ..., V: _Number = ..., K: _Number = ..., beta: _Number = ...) -> SingleStateFalling: ...  # type: ignore[override]

class Multistate(Law):
    """N asperities side by side: presliding hysteresis, Stribeck effect and lag, without drift or jumps.

        gammadot = (g(v) - gamma)/tau_d
        f_i = sat(lambda_i gamma, kappa_i a_i + G_i v)
        adot_i = (f_i - kappa_i a_i)/G_i,  G_i = sigma_i + tau kappa_i
        f = sum f_i
        g(v) = F_c + (F_s - F_c) exp(-|v/v_s|^alpha)

    Parameters
    ----------
    F_c : number, N, > 0, default 1
        kinetic friction, the limit at high speed
    F_s : number, N, > 0, default 2.5
        static friction, the limit at rest
    v_s : number, m/s, > 0, default 5e-06
        Stribeck velocity: how fast the limit falls from F_s to F_c
    alpha : number, between 0.1 and 10, default 2
        Stribeck exponent
    tau_d : number, s, > 0, default 0.02
        time by which the friction limit lags behind the velocity
    kappa : list of numbers, N/m, > 0, default [5e+06, 2.5e+06, 1.66667e+06, 1.25e+06, ...]
        stiffness of each asperity
    sigma : list of numbers, N s/m, > 0, default [20000, 20000, 20000, 20000, ...]
        damping of each asperity
    lambda_ : list of numbers, >= 0, default [0.1, 0.1, 0.1, 0.1, ...]
        share of the limit carried by each asperity
    elements : int
        How many elements it has; all parameters at their defaults for so many.

    Use it:
        measured presliding hysteresis, micro-positioning, frictional lag

    Avoid it:
        only hold and slide matter (single_state has three parameters instead of thirty)

    It cannot:
        contact ageing; strict rate independence (7 % at ten times the speed with the parameters of the
        thesis)

    Source: xiong2013 (4.12), (4.13). In scenes: law = "multistate".
    """
    def __init__(self, *, F_c: _Number = ..., F_s: _Number = ..., v_s: _Number = ..., alpha: _Number = ..., tau_d: _Number = ..., kappa: _Numbers = ..., sigma: _Numbers = ..., lambda_: _Numbers = ..., elements: Optional[int] = ...) -> None: ...
    @property
    def F_c(self) -> float: ...
    @property
    def F_s(self) -> float: ...
    @property
    def v_s(self) -> float: ...
    @property
    def alpha(self) -> float: ...
    @property
    def tau_d(self) -> float: ...
    @property
    def kappa(self) -> Tuple[float, ...]: ...
    @property
    def sigma(self) -> Tuple[float, ...]: ...
    @property
    def lambda_(self) -> Tuple[float, ...]: ...
    def replace(self, *, F_c: _Number = ..., F_s: _Number = ..., v_s: _Number = ..., alpha: _Number = ..., tau_d: _Number = ..., kappa: _Numbers = ..., sigma: _Numbers = ..., lambda_: _Numbers = ...) -> Multistate: ...  # type: ignore[override]

class VirtualMass(Law):
    """A spring-damper that drags a rubbing virtual mass: the haptic renderer's law.

        y = K a + (B + h K) v + (M/h) w,   G = M/h + B + h K
        w+ = 0 if |y| <= g(0), else y/|y| s with G s + g(s) + D s = |y|
        adot = v - w+,  f = K (a + h adot) + B adot
        g(v) = F_c + (F_s - F_c) exp(-|v/v_s|^alpha)

    Parameters
    ----------
    F_c : number, N, > 0, default 1
        kinetic friction, the limit at high speed
    F_s : number, N, > 0, default 1.5
        static friction, the limit at rest
    v_s : number, m/s, > 0, default 0.001
        Stribeck velocity: how fast the limit falls from F_s to F_c
    alpha : number, between 0.1 and 10, default 2
        Stribeck exponent
    D : number, N s/m, >= 0, default 0
        viscous friction of the proxy
    M : number, kg, >= 0, default 0.1
        virtual mass of the proxy
    B : number, N s/m, >= 0, default 10
        damping of the spring
    K : number, N/m, > 0, default 6000
        stiffness of the spring

    Use it:
        haptic displays and other sampled loops; a dragged object with inertia

    Avoid it:
        ODE solvers (for M = 0 use single_state, which is the same law)

    It cannot:
        run as an ODE: with M > 0 its friction is set-valued, it lives in sampled time only

    Source: kikuuwe_fujimoto (8)-(19). In scenes: law = "virtual_mass".
    """
    def __init__(self, *, F_c: _Number = ..., F_s: _Number = ..., v_s: _Number = ..., alpha: _Number = ..., D: _Number = ..., M: _Number = ..., B: _Number = ..., K: _Number = ...) -> None: ...
    @property
    def F_c(self) -> float: ...
    @property
    def F_s(self) -> float: ...
    @property
    def v_s(self) -> float: ...
    @property
    def alpha(self) -> float: ...
    @property
    def D(self) -> float: ...
    @property
    def M(self) -> float: ...
    @property
    def B(self) -> float: ...
    @property
    def K(self) -> float: ...
    def replace(self, *, F_c: _Number = ..., F_s: _Number = ..., v_s: _Number = ..., alpha: _Number = ..., D: _Number = ..., M: _Number = ..., B: _Number = ..., K: _Number = ...) -> VirtualMass: ...  # type: ignore[override]

class KelvinVoigt(Law):
    """Spring and damper while the bodies overlap.

        f = K d + B ddot if d >= 0, else 0;   d = -gap

    Parameters
    ----------
    K : number, N/m, > 0, default 100000
        stiffness
    B : number, N s/m, >= 0, default 100
        damping

    Use it:
        comparison

    Avoid it:
        touch must be smooth

    It cannot:
        touch without a jump; let go without pulling

    Exceptions:
        the force jumps to B v at touch and pulls before release

    Source: xiong2013 (3.6), (5.1). In scenes: law = "kelvin_voigt".
    """
    def __init__(self, *, K: _Number = ..., B: _Number = ...) -> None: ...
    @property
    def K(self) -> float: ...
    @property
    def B(self) -> float: ...
    def replace(self, *, K: _Number = ..., B: _Number = ...) -> KelvinVoigt: ...  # type: ignore[override]

class KelvinVoigtClamped(Law):
    """Spring and damper that push only.

        f = max(0, K d + B ddot) if d >= 0, else 0;   d = -gap

    Parameters
    ----------
    K : number, N/m, > 0, default 100000
        stiffness
    B : number, N s/m, >= 0, default 100
        damping

    Use it:
        penalty contacts with a known restitution (closed form)

    Avoid it:
        touch must be smooth

    It cannot:
        touch without a jump

    Exceptions:
        the force jumps to B v at touch

    Source: xiong2013 (3.7). In scenes: law = "kelvin_voigt_clamped".
    """
    def __init__(self, *, K: _Number = ..., B: _Number = ...) -> None: ...
    @property
    def K(self) -> float: ...
    @property
    def B(self) -> float: ...
    def replace(self, *, K: _Number = ..., B: _Number = ...) -> KelvinVoigtClamped: ...  # type: ignore[override]

class Hertz(Law):
    """Elastic contact of curved surfaces, no loss.

        f = K d^lambda if d > 0, else 0;   d = -gap

    Parameters
    ----------
    K : number, N/m^lambda, > 0, default 1e+06
        stiffness
    lambda_ : number, between 1 and 5, default 1.5
        exponent: 1 flat, 3/2 spheres

    Use it:
        lossless impacts, reference for contact time

    Avoid it:
        anything that must come to rest

    It cannot:
        dissipate: restitution is 1

    Source: hertz1882. In scenes: law = "hertz".
    """
    def __init__(self, *, K: _Number = ..., lambda_: _Number = ...) -> None: ...
    @property
    def K(self) -> float: ...
    @property
    def lambda_(self) -> float: ...
    def replace(self, *, K: _Number = ..., lambda_: _Number = ...) -> Hertz: ...  # type: ignore[override]

class HuntCrossley(Law):
    """Hertz contact with damping that grows with the indentation.

        f = K d^lambda (1 + b2 ddot) if d > 0, else 0;   d = -gap

    Parameters
    ----------
    K : number, N/m^lambda, > 0, default 1e+06
        stiffness
    lambda_ : number, between 1 and 5, default 1.5
        exponent: 1 flat, 3/2 spheres
    b2 : number, s/m, >= 0, default 0.35
        damping factor

    Use it:
        impacts with a restitution that falls with speed

    Avoid it:
        bodies that are pulled apart

    It cannot:
        let go cleanly: pulled faster than 1/b2 it holds back; leave an indentation behind

    Exceptions:
        pulls when the surfaces separate faster than 1/b2

    Source: hunt1975; xiong2013 (5.2). In scenes: law = "hunt_crossley".
    """
    def __init__(self, *, K: _Number = ..., lambda_: _Number = ..., b2: _Number = ...) -> None: ...
    @property
    def K(self) -> float: ...
    @property
    def lambda_(self) -> float: ...
    @property
    def b2(self) -> float: ...
    def replace(self, *, K: _Number = ..., lambda_: _Number = ..., b2: _Number = ...) -> HuntCrossley: ...  # type: ignore[override]

class LinearCompliance(Law):
    """Contact that neither jumps on touch nor glues on release; the standard linear solid.

        edot = max(-e/(beta + tau), -(gap + e)/(alpha + tau))
        f = K max(0, e - (beta + tau)(gap + e)/(alpha + tau))

    Parameters
    ----------
    K : number, N/m, > 0, default 100000
        stiffness at rest
    alpha : number, s, > 0, default 0.002
        relaxation time: the smaller, the less it bounces
    beta : number, s, > 0, default 0.004
        damping time

    Use it:
        the default contact: floors, walls, grippers

    Avoid it:
        restitution that must fall with the impact speed (use nonlinear_compliance)

    It cannot:
        be passive with beta < alpha

    Source: xiong2013 (3.14); xiong2012 (15). In scenes: law = "linear_compliance".
    """
    def __init__(self, *, K: _Number = ..., alpha: _Number = ..., beta: _Number = ...) -> None: ...
    @property
    def K(self) -> float: ...
    @property
    def alpha(self) -> float: ...
    @property
    def beta(self) -> float: ...
    def replace(self, *, K: _Number = ..., alpha: _Number = ..., beta: _Number = ...) -> LinearCompliance: ...  # type: ignore[override]

class NonlinearCompliance(Law):
    """Hertz-like contact with memory: restitution falls with speed, no jump, no glue.

        w = d |d|^(lambda-1),  d = -gap
        adot = max(-gamma a/(1 + gamma (beta1 + beta2 a)), gamma (w - a))
        f = K max(0, w + gamma (beta1 + beta2 a)(w - a))

    Parameters
    ----------
    K : number, N/m^lambda, > 0, default 10000
        stiffness
    lambda_ : number, between 1 and 5, default 1.5
        exponent: 1 flat, 3/2 spheres
    beta1 : number, s, >= 0, default 0.003
        damping time
    beta2 : number, s/m^lambda, >= 0, default 0.1
        growth of the damping time with the indentation
    gamma : number, 1/s, > 0, default 2000
        rate at which the indentation is remembered

    Use it:
        impacts whose restitution depends on speed, soft tissue, indentation that recovers slowly

    Avoid it:
        a constant restitution (linear_compliance is simpler)

    It cannot:
        have a restitution below 1 at vanishing speed (lambda > 1)

    Source: xiong2013 (5.5), (5.6). In scenes: law = "nonlinear_compliance".
    """
    def __init__(self, *, K: _Number = ..., lambda_: _Number = ..., beta1: _Number = ..., beta2: _Number = ..., gamma: _Number = ...) -> None: ...
    @property
    def K(self) -> float: ...
    @property
    def lambda_(self) -> float: ...
    @property
    def beta1(self) -> float: ...
    @property
    def beta2(self) -> float: ...
    @property
    def gamma(self) -> float: ...
    def replace(self, *, K: _Number = ..., lambda_: _Number = ..., beta1: _Number = ..., beta2: _Number = ..., gamma: _Number = ...) -> NonlinearCompliance: ...  # type: ignore[override]

class ImplicitContact(Law):
    """Backward Euler of spring-damper contact: for sampled time only.

        edot = max(-e/(beta + h), -(gap + e)/h)
        f = K max(0, e - (beta + h)(gap + e)/h)

    Parameters
    ----------
    K : number, N/m, > 0, default 100000
        stiffness
    beta : number, s, >= 0, default 0.004
        damping time

    Use it:
        haptic walls in a sampled loop

    Avoid it:
        ODE solvers: it needs a step

    It cannot:
        run as an ODE; touch without a jump as the step goes to zero

    Exceptions:
        the force jumps to K beta v at touch

    Source: xiong2013 (3.12); kikuuwe2007. In scenes: law = "implicit_contact".
    """
    def __init__(self, *, K: _Number = ..., beta: _Number = ...) -> None: ...
    @property
    def K(self) -> float: ...
    @property
    def beta(self) -> float: ...
    def replace(self, *, K: _Number = ..., beta: _Number = ...) -> ImplicitContact: ...  # type: ignore[override]

class FrictionalContact(Law):
    """A contact law and a friction law in one: the normal force is the friction's load.

        N = normal law (gap)
        f_t = tangential law (v) under the load N; 0 if N <= 0

    Parameters
    ----------
    normal_K : number, N/m, > 0, default 100000
        stiffness at rest
    normal_alpha : number, s, > 0, default 0.002
        relaxation time: the smaller, the less it bounces
    normal_beta : number, s, > 0, default 0.004
        damping time
    tangential_F : number, > 0, default 0.5
        sliding friction
    tangential_K : number, N/m, > 0, default 100000
        asperity stiffness
    tangential_beta : number, s, > 0, default 0.001
        asperity damping time (the damping is K beta)

    Use it:
        anything that touches with friction

    Avoid it:
        a constant normal force (the friction law alone, with a load, is cheaper)

    It cannot:
        anything that its two laws cannot

    Exceptions:
        those of its two laws

    Source: xiong2013 (3.18)-(3.20); xiong2012 (20)-(22); kikuuwe_yamamoto (23). In scenes: law = "frictional_contact".
    """
    def __init__(self, *, normal_K: _Number = ..., normal_alpha: _Number = ..., normal_beta: _Number = ..., tangential_F: _Number = ..., tangential_K: _Number = ..., tangential_beta: _Number = ...) -> None: ...
    @property
    def normal_K(self) -> float: ...
    @property
    def normal_alpha(self) -> float: ...
    @property
    def normal_beta(self) -> float: ...
    @property
    def tangential_F(self) -> float: ...
    @property
    def tangential_K(self) -> float: ...
    @property
    def tangential_beta(self) -> float: ...
    def replace(self, *, normal_K: _Number = ..., normal_alpha: _Number = ..., normal_beta: _Number = ..., tangential_F: _Number = ..., tangential_K: _Number = ..., tangential_beta: _Number = ...) -> FrictionalContact: ...  # type: ignore[override]
