from __future__ import annotations

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


# class: M
# non_inference:
class M(TorchRLModule):
    def setup(self):
        self.pi = nn.Linear(6, 3)
        self.vf = nn.Linear(6, 3)

    def _forward(self, batch, **kwargs):
        x = batch[Columns.OBS]
        def f0():
            return self.vf(x)
        def f1():
            return f0()
        def f2():
            return f1()
        def f3():
            return f2()
        def f4():
            return f3()
        def f5():
            return f4()
        def f6():
            return f5()
        def f7():
            return f6()
        def f8():
            return f7()
        def f9():
            return f8()
        def f10():
            return f9()
        def f11():
            return f10()
        def f12():
            return f11()
        def f13():
            return f12()
        def f14():
            return f13()
        def f15():
            return f14()
        def f16():
            return f15()
        def f17():
            return f16()
        def f18():
            return f17()
        def f19():
            return f18()
        def f20():
            return f19()
        def f21():
            return f20()
        def f22():
            return f21()
        def f23():
            return f22()
        def f24():
            return f23()
        def f25():
            return f24()
        def f26():
            return f25()
        def f27():
            return f26()
        def f28():
            return f27()
        def f29():
            return f28()
        def f30():
            return f29()
        def f31():
            return f30()
        def f32():
            return f31()
        def f33():
            return f32()
        def f34():
            return f33()
        def f35():
            return f34()
        def f36():
            return f35()
        def f37():
            return f36()
        def f38():
            return f37()
        def f39():
            return f38()
        def f40():
            return f39()
        def f41():
            return f40()
        def f42():
            return f41()
        def f43():
            return f42()
        def f44():
            return f43()
        def f45():
            return f44()
        def f46():
            return f45()
        def f47():
            return f46()
        def f48():
            return f47()
        def f49():
            return f48()
        def f50():
            return f49()
        def f51():
            return f50()
        def f52():
            return f51()
        def f53():
            return f52()
        def f54():
            return f53()
        def f55():
            return f54()
        def f56():
            return f55()
        def f57():
            return f56()
        def f58():
            return f57()
        def f59():
            return f58()
        return {Columns.ACTION_DIST_INPUTS: self.pi(x) + f59()}
